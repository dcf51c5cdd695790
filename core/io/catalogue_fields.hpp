// The fields of catalogue parts, for the catalogue files and for the `parts` of a document. Private to core/io.
#pragma once

#include "core/catalogue/parts.hpp"
#include "core/io/json_fields.hpp"

namespace crosspoint::json {

template <class Io>
void fields(Io& io, Of<Io, Bandwidth>& bandwidth) {
    io.must("nominal", bandwidth.nominal);
    io.may("usable", bandwidth.usable);
}

template <class Io>
void fields(Io& io, Of<Io, EfficiencyPoint>& point) {
    io.must("rows", point.rows);
    io.must("share", point.share);
}

/// The evidence of the curve and its points in one object.
template <class Part>
struct EfficiencyCurve {
    Part& part;
};
template <class Io, class Part>
void curve_fields(Io& io, Part& part) {
    figure_fields(io, part.compute_efficiency_evidence);
    io.must("points", part.compute_efficiency);
}
inline void fields(Reader& io, EfficiencyCurve<AcceleratorPart>& curve) { curve_fields(io, curve.part); }
inline void fields(Writer& io, const EfficiencyCurve<const AcceleratorPart>& curve) { curve_fields(io, curve.part); }

template <class Io>
void fields(Io& io, Of<Io, AcceleratorPart>& part) {
    io.must("name", part.name);
    io.may("vendor", part.vendor);
    io.must("memory", part.memory);
    io.must("memory_bandwidth", part.memory_bandwidth);
    io.must("memory_efficiency", part.memory_efficiency);
    io.must("dense_peak", part.dense_peak);
    EfficiencyCurve<Of<Io, AcceleratorPart>> curve{part};
    io.must("compute_efficiency", curve);
    io.must("launch", part.launch);
    io.must("graph_launch", part.graph_launch);
    io.may("price", part.price);
    io.may("power", part.power);
}

template <class Io>
void fields(Io& io, Of<Io, CollectiveFigures>& figures) {
    io.may("bandwidth", figures.bandwidth);
    io.may("software", figures.software);
    io.may("step", figures.step);
    io.may("kappa", figures.kappa);
    io.may("bulk_software", figures.bulk_software);
    io.may("bulk_step", figures.bulk_step);
    io.may("low_latency_share", figures.low_latency_share);
    io.may("message", figures.message);
}

template <class Io>
void fields(Io& io, Of<Io, EngineKernels>& kernels) {
    io.must("one_shot", kernels.one_shot);
    io.must("two_shot", kernels.two_shot);
    io.must("bandwidth_share", kernels.bandwidth_share);
}

template <class Io>
void fields(Io& io, Of<Io, LinkPart>& part) {
    io.must("name", part.name);
    io.must("family", part.family);
    io.must("bandwidth", part.bandwidth);
    io.must("software", part.software);
    io.must("endpoint", part.endpoint);
    io.must("hop", part.hop);
    io.may("peer_bandwidth", part.peer_bandwidth);
    io.brief("in_switch_reduction", part.in_switch_reduction, false);
    io.may("in_switch_gain", part.in_switch_gain);
    io.may("in_switch_bandwidth", part.in_switch_bandwidth);
    io.may("in_switch_latency", part.in_switch_latency);
    io.may("engine_kernels", part.engine_kernels);
    io.brief("collectives", part.collectives, {});
}

template <class Io>
void fields(Io& io, Of<Io, SwitchPart>& part) {
    io.must("name", part.name);
    io.must("radix", part.radix);
    io.must("port_bandwidth", part.port_bandwidth);
    io.must("hop", part.hop);
}

template <class Io>
void fields(Io& io, Of<Io, NicPart>& part) {
    io.must("name", part.name);
    io.must("bandwidth", part.bandwidth);
    io.must("endpoint", part.endpoint);
}

template <class Io>
void fields(Io& io, Of<Io, HostPart>& part) {
    io.must("name", part.name);
    io.must("hop", part.hop);
}

template <class Io>
void fields(Io& io, Of<Io, Catalogue>& catalogue) {
    io.brief("accelerators", catalogue.accelerators, {});
    io.brief("links", catalogue.links, {});
    io.brief("switches", catalogue.switches, {});
    io.brief("nics", catalogue.nics, {});
    io.brief("hosts", catalogue.hosts, {});
}

}  // namespace crosspoint::json
