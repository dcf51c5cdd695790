// Accelerators by the names and numbers that other tools print. Private to importers.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace crosspoint {

/// A product of which the built-in catalogue may have no part; figures from its maker's data sheet.
struct Product {
    std::string_view name;    ///< "NVIDIA A100 SXM 40 GB"
    std::string_view vendor;  ///< "NVIDIA"
    std::string_view part;    ///< built-in part id; empty: an own part is made of the figures
    double memory_gb = 0;     ///< 1e9 bytes
    double memory_gbps = 0;   ///< 1e9 bytes/s
    double fp16_tflops = 0;   ///< dense
    double nvlink_gbps = 0;   ///< scale-up links of one accelerator, one direction, all together; 0 without
    std::string_view source;
};

/// By a printed name in any spelling; null when none is meant.
const Product* product_by_name(std::string_view text);
/// By PCI vendor and device numbers (0x10de, 0x2330).
const Product* product_by_pci(unsigned vendor, unsigned device);
/// Products of an NVIDIA compute capability (90) or an AMD gfx number (942), most common first.
std::vector<const Product*> products_by_sm(int sm);
std::vector<const Product*> products_by_gfx(int gfx);
/// Numbers that files name a product by; zero where there is none.
struct ProductNumbers {
    unsigned vendor = 0, device = 0;
    int sm = 0, gfx = 0;
};
ProductNumbers numbers_of(const Product& product);
/// Those that are worth offering when nothing tells the product: all of the built-in catalogue and the older
/// data-centre ones.
std::vector<const Product*> common_products();

}  // namespace crosspoint
