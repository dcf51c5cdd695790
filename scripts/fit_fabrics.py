#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Fits the constants of link classes (resources/catalogue/links.json) to published measurements.

    scripts/fit_fabrics.py build/.../crosspoint-accuracy RECORDS.jsonl [--write] [--only NAME ...]

Each group below names the sources that its constants may see; docs/accuracy.md reports these and all others apart.
The constants are moved one at a time, by shrinking factors, while the mean error of the program's own predictions
falls: nothing is fitted that the program does not compute. Without --write the result is only printed.
"""
import argparse
import json
import math
import subprocess
import tempfile
from pathlib import Path

LINKS = Path(__file__).resolve().parent.parent / "resources/catalogue/links.json"

AR, AG, RS, AA = "all-reduce", "all-gather", "reduce-scatter", "all-to-all"
ED, EC = "expert-dispatch", "expert-combine"
NAMES = {AR: "all_reduce", AG: "all_gather", RS: "reduce_scatter", AA: "alltoall", ED: "dispatch", EC: "combine"}


def group(name, part, operation, sources, fields, hardware="", rows=lambda c: True):
    paths = [f"{part}/collectives/{operation}/{f}" if "/" not in f else f for f in fields]
    return {"name": name, "paths": paths, "sources": sources, "operation": NAMES[operation], "hardware": hardware,
            "rows": rows}


def library(config):
    return "custom" not in config.get("library", "").lower()


def kernels(config):
    return not library(config)


def across(config):
    return config.get("nodes", 1) > 1


TWO = ["software", "bulk_software", "low_latency_share", "kappa"]
ONE_NODE, G1, G8 = "nccl_N1_G8_", "nccl_N10_G1.", "nccl_N10_G8."
AIC = "ai-dynamo/aiconfigurator"
GROUPS = [
    group("nvlink4-ar", "nvlink4", AR, ["dgxc-benchmarking"],
          ["software", "low_latency_share", "kappa", "nvlink4/in_switch_latency", "nvlink4/in_switch_bandwidth"]),
    group("nvlink4-ag", "nvlink4", AG, [ONE_NODE, AIC], TWO, "H100", library),
    group("nvlink4-rs", "nvlink4", RS, [ONE_NODE, AIC], TWO, "H100", library),
    group("nvlink4-aa", "nvlink4", AA, [ONE_NODE, AIC], ["bulk_software", "bandwidth"], "H100", library),
    group("nvlink3-ar", "nvlink3", AR, [AIC], TWO + ["bandwidth"], "A100", library),
    group("nvlink3-ag", "nvlink3", AG, [AIC], TWO + ["bandwidth"], "A100", library),
    group("nvlink3-rs", "nvlink3", RS, [AIC], TWO + ["bandwidth"], "A100", library),
    group("nvlink5-ar", "nvlink5", AR, ["Azure/AI-benchmarking-guide:", "data/b200_sxm"], TWO + ["step"], "B200",
          library),
    group("nvlink5-switch", "nvlink5", AR, ["data/b200_sxm"],
          ["nvlink5/in_switch_latency", "nvlink5/in_switch_bandwidth"], "B200", library),
    group("nvlink5-rs", "nvlink5", RS, ["data/b200_sxm"], TWO + ["bandwidth"], "B200", library),
    group("kernels-3", "nvlink3", AR, ["data/a100_sxm"],
          ["nvlink3/engine_kernels/one_shot", "nvlink3/engine_kernels/two_shot"], "A100", kernels),
    group("kernels-5", "nvlink5", AR, ["data/b200_sxm"],
          ["nvlink5/engine_kernels/one_shot", "nvlink5/engine_kernels/two_shot",
           "nvlink5/engine_kernels/bandwidth_share"], "B200", kernels),
    group("xgmi-ar", "xgmi-mi300x", AR, ["ND_MI300X_v5"],
          ["software", "bulk_software", "low_latency_share", "bandwidth"]),
    # One step for both passes of a ring: docs/accuracy.md says how these two were scanned together.
    group("ib-ar", "infiniband-ndr-400g", AR, [G1, G8], ["bulk_software"]),
    group("ib-ag", "infiniband-ndr-400g", AG, [G1, G8], ["bulk_software"]),
    group("ib-aa", "infiniband-ndr-400g", AA, [G1, G8], ["software", "message", "bandwidth"]),
    group("efa1", "efa-v1-100g", AR, ["aws-samples"], TWO[:3] + ["efa-v1-100g/bandwidth/usable"], "A100"),
    group("efa2", "efa-v2-100g", AR, ["aws-samples"], TWO[:3], "H100"),
    group("efa4", "efa-v4-400g", AR, ["stas00"], TWO[:3], "B200", across),
    group("tcpxo", "tcpxo-200g", AR, ["lessizzmore"], TWO[:3] + ["tcpxo-200g/bandwidth/usable"]),
    group("ib-ed", "infiniband-ndr-400g", ED, ["data/h100_sxm"], ["software", "message", "bandwidth"], "H100", across),
    group("ib-ec", "infiniband-ndr-400g", EC, ["data/h100_sxm"], ["software", "message", "bandwidth"], "H100", across),
]


def records_of(path):
    for line in Path(path).read_text(encoding="utf-8").splitlines():
        try:
            record = json.loads(line)
        except ValueError:
            continue
        if isinstance(record, dict) and record.get("kind") in ("collective", "ep_comm"):
            yield record


def chosen(g, records):
    for r in records:
        config = r["config"]
        operation = config.get("collective", r.get("metric", "").split(" ")[0])
        if operation != g["operation"] or g["hardware"] not in config.get("hardware", ""):
            continue
        if any(s in r["source"] for s in g["sources"]) and g["rows"](config) and r["check"]["type"] == "band":
            yield r


def figure(catalogue, path):
    node = catalogue["links"]
    for key in path.split("/"):
        node = node[key]
    return node


def number(text):
    return float(str(text).split()[0])


def write_number(node, value):
    rounded = float(f"{value:.3g}")
    unit = str(node["value"]).split()[1:]
    node["value"] = " ".join([f"{rounded:g}"] + unit) if unit else rounded


def error(tool, rows_file, catalogue, overlay):
    overlay.write_text(json.dumps(catalogue), encoding="utf-8")
    done = subprocess.run([tool, rows_file, "--json", "--rows", "--catalogue", str(overlay)], capture_output=True,
                          check=True, text=True)
    logs = [abs(math.log(row["ratio"])) for row in json.loads(done.stdout)["rows"]]
    if not logs:
        raise SystemExit("no row could be mapped")
    return sum(x + 2 * max(0.0, x - 0.2) for x in logs) / len(logs)


def fit(tool, g, records, catalogue, folder):
    rows = list(chosen(g, records))
    if not rows:
        print(f"{g['name']}: no rows")
        return
    rows_file = folder / "rows.jsonl"
    rows_file.write_text("\n".join(json.dumps(r) for r in rows), encoding="utf-8")
    overlay = folder / "links.json"
    best = before = error(tool, str(rows_file), catalogue, overlay)
    factor = 1.6
    while factor > 1.015:
        moved = False
        for path in g["paths"]:
            node = figure(catalogue, path)
            for f in (factor, 1 / factor):
                kept = node["value"]
                value = number(kept) * f
                if path.endswith("share") and value > 1:
                    continue
                write_number(node, value)
                now = error(tool, str(rows_file), catalogue, overlay)
                if now < best - 1e-6:
                    best, moved = now, True
                    break
                node["value"] = kept
        if not moved:
            factor = factor ** 0.5
    values = ", ".join(f"{p.split('/')[-1]} {figure(catalogue, p)['value']}" for p in g["paths"])
    print(f"{g['name']}: {len(rows)} rows, mean {before:.3f} -> {best:.3f}: {values}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool")
    parser.add_argument("records")
    parser.add_argument("--write", action="store_true", help="write the constants to the catalogue")
    parser.add_argument("--only", nargs="*", help="names of groups")
    args = parser.parse_args()
    records = list(records_of(args.records))
    catalogue = json.loads(LINKS.read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        for g in GROUPS:
            if not args.only or g["name"] in args.only:
                fit(args.tool, g, records, catalogue, Path(folder))
    if args.write:
        LINKS.write_text(json.dumps(catalogue, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
