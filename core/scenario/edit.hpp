// The only way to change a scenario: an Edit, applied to a copy.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "core/scenario/scenario.hpp"

namespace crosspoint {

struct SetTitle {
    std::string title, notes;
};
struct SetPhase {
    Phase phase;
};
struct SetBatch {
    std::int64_t batch;
};
struct SetContext {
    std::int64_t context;
};
struct SetOutput {
    std::int64_t output;
};
struct SetExpertCv {
    double cv;
};
struct SetTraining {
    Training training;
};
struct SetModel {
    std::shared_ptr<const ModelShape> model;
};
struct SetTopology {
    std::shared_ptr<const Topology> topology;
};  ///< a template or import, as one change
struct SetPrecision {
    Precision precision;
};
struct SetParallelism {
    Parallelism layout;
};
struct SetPlacement {
    Placement placement;
};
struct SetCalibration {
    Calibration calibration;
};
/// Puts a measurement in the place of the one with the same link class and collective, or beside the others.
struct SetPathCalibration {
    PathCalibration path;
};
/// Takes one away; an error when there is none.
struct RemovePathCalibration {
    std::string link;
    CollectiveOp operation;
};
struct SetPrices {
    Prices prices;
};
struct SetTargets {
    Targets targets;
};
struct SetService {
    Service service;
};
/// Adds, replaces or, without a tier, removes one.
struct SetTier {
    std::string name;
    std::optional<Tier> tier;
};
struct SetThreshold {
    std::string name;
    std::optional<double> value;
};  ///< absent: back to the rule's default

/// Lays parts over the document's own; those of the same id are replaced.
struct AddParts {
    std::shared_ptr<const Catalogue> parts;
};

struct PutContainer {
    Container container;
};  ///< adds, or replaces the one of the same id
struct PutDevice {
    Device device;
};
struct PutLink {
    Link link;
};
/// Removes these, everything inside removed containers, and every link that loses an end.
struct RemoveObjects {
    std::vector<ContainerId> containers;
    std::vector<DeviceId> devices;
    std::vector<LinkId> links;
};
struct Moved {
    std::string id;
    CanvasBox box;
};
struct MoveObjects {
    std::vector<Moved> boxes;
};
/// Copies containers (with their inside), devices and the links among them, offset on the canvas.
struct DuplicateObjects {
    std::vector<ContainerId> containers;
    std::vector<DeviceId> devices;
    double dx = 24, dy = 24;
};

using Edit = std::variant<SetTitle, SetPhase, SetBatch, SetContext, SetOutput, SetExpertCv, SetModel, SetTopology,
                          SetPrecision, SetParallelism, SetPlacement, SetCalibration, SetPrices, SetTargets, SetService,
                          SetTier, SetThreshold, PutContainer, PutDevice, PutLink, RemoveObjects, MoveObjects,
                          DuplicateObjects, SetTraining, AddParts, SetPathCalibration, RemovePathCalibration>;

/// The scenario after the edit, or an error that names the objects or the value; the input is untouched.
/// Write crosspoint::apply at the call: unqualified, std::apply is found too (Edit is a std::variant).
Result<Scenario> apply(const Scenario& scenario, const Edit& edit);
/// All of them or none.
Result<Scenario> apply(const Scenario& scenario, const std::vector<Edit>& edits);
/// For undo menus: "set batch to 64", "delete 2 devices".
std::string describe(const Edit& edit);

}  // namespace crosspoint
