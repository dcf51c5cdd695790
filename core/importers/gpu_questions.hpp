// What topology dumps leave open about GPUs and NICs, asked in the same words by every importer. Private to importers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/importers/machine.hpp"
#include "core/importers/products.hpp"

namespace crosspoint {

/// "Which accelerator is it?" among `likely` first and, when there is no other choice, all known ones. Never null.
const Product* ask_product(Sketch& sketch, std::string_view evidence, const std::vector<const Product*>& likely);
/// Rate of a NIC port when the file gives none, in bytes/s, one direction; `gbit` is the default.
double ask_nic_speed(Sketch& sketch, std::string_view evidence, int gbit);
/// A NIC part of that rate.
PartId nic_of_speed(Sketch& sketch, double bytes_per_s, std::string_view source, Confidence confidence);
/// Scale-up bandwidth of a product when the file lists no links: a question, as such machines are sold both ways.
void ask_domain(Sketch& sketch, Machine& machine, const Product& product);
/// Payload of one scale-up link and direction, bytes/s; 0 when unknown.
double nvlink_rate(int sm);
double xgmi_rate(const Product& product);

}  // namespace crosspoint
