// Families beyond plain attention, each in a configuration of a few lines with counts worked out by hand.
#include <QtTest>

#include "core/io/hf_config.hpp"

using namespace crosspoint;

namespace {

/// Two layers of hidden 64, 8 heads, vocabulary 1000, width 160, with more fields.
std::string config(const std::string& fields, const char* architecture = "LlamaForCausalLM", int layers = 2) {
    return "{\"architectures\": [\"" + std::string(architecture) +
           "\"], \"hidden_size\": 64, \"vocab_size\": 1000, \"num_attention_heads\": 8, \"intermediate_size\": 160, "
           "\"tie_word_embeddings\": false, \"torch_dtype\": \"bfloat16\", \"num_hidden_layers\": " +
           std::to_string(layers) + (fields.empty() ? "" : ", ") + fields + "}";
}

ImportedModel load(const std::string& text) {
    auto imported = import_hf_config(text, "c.json");
    if (!imported) qFatal("%s", describe(imported.error()).c_str());
    return *std::move(imported);
}

bool mentions(const std::vector<std::string>& lines, const char* part) {
    return std::any_of(lines.begin(), lines.end(), [&](const std::string& l) { return l.find(part) != l.npos; });
}

const LayerShape& layer(const ImportedModel& m, std::size_t at) {
    return m.model.kinds.at(static_cast<std::size_t>(m.model.layers.at(at)));
}

std::int64_t attention(const ImportedModel& m, std::size_t at) {
    return count_parameters(m.model, layer(m, at)).attention;
}

constexpr const char* delta_fields =
    "\"num_key_value_heads\": 2, \"head_dim\": 16, \"linear_num_key_heads\": 2, \"linear_num_value_heads\": 4, "
    "\"linear_key_head_dim\": 8, \"linear_value_head_dim\": 16, \"linear_conv_kernel_dim\": 4, \"num_experts\": 4, "
    "\"num_experts_per_tok\": 2, \"moe_intermediate_size\": 32, \"shared_expert_intermediate_size\": 32";

}  // namespace

class TestHfConfigFamilies : public QObject {
    Q_OBJECT
private slots:
    void gatedDelta();
    void nemotronPattern();
    void jamba();
    void lightning();
    void channelDelta();
    void sparseIndexer();
    void compressed();
    void gemma4();
    void mimo();
    void sharedCache();
    void factorised();
    void blocks();
    void chunks();
    void wideNorm();
    void dbrxInnerFields();
    void expertLists();
    void grokLies();
    void longcat();
    void calculon();
    void otherDialects();
    void quantisation_data();
    void quantisation();
    void contradictions();
};

void TestHfConfigFamilies::gatedDelta() {
    const ImportedModel m =
        load(config(std::string(delta_fields) + ", \"full_attention_interval\": 4", "Qwen3NextForCausalLM", 4));
    QCOMPARE(layer(m, 0).attention.kind, AttentionKind::linear);
    QCOMPARE(layer(m, 3).attention.kind, AttentionKind::grouped);
    // Keys 16, values 64: in 64 x (2 x 16 + 2 x 64 + 2 x 4), conv 96 x 4, 2 x 4 scalars, norm 16, out 64 x 64.
    QCOMPARE(attention(m, 0), 64 * 168 + 384 + 8 + 16 + 4096);
    // Q, gate and output 128 wide, K and V 32, two norms of 16.
    QCOMPARE(attention(m, 3), 64 * (128 + 128 + 64) + 128 * 64 + 32);
    QCOMPARE(kv_bytes_per_token(m.model, Dtype::bf16).si(), 2.0 * 2 * 16 * 2);  // one layer of four
    // 4 heads x 8 x 16 numbers in fp32, and three taps of 96 channels in 16 bits; three layers.
    QCOMPARE(cache_bytes(m.model, 1000, Dtype::bf16).constant.si(), 3.0 * (512 * 4 + 3 * 96 * 2));
    QVERIFY(layer(m, 0).feed_forward.experts->shared_gate);
    QVERIFY(m.warnings.empty());
}

void TestHfConfigFamilies::nemotronPattern() {
    const ImportedModel m = load(config(
        "\"hybrid_override_pattern\": \"M*-E\", \"num_key_value_heads\": 2, \"head_dim\": 8, \"mamba_num_heads\": 4, "
        "\"mamba_head_dim\": 32, \"n_groups\": 2, \"ssm_state_size\": 16, \"conv_kernel\": 4, \"use_conv_bias\": true, "
        "\"n_routed_experts\": 4, \"num_experts_per_tok\": 2, \"moe_intermediate_size\": 24, \"n_shared_experts\": 1, "
        "\"moe_shared_expert_intermediate_size\": 48, \"moe_latent_size\": 32, \"n_group\": 1, \"topk_group\": 1, "
        "\"time_step_limit\": [0.0, Infinity]",
        "NemotronHForCausalLM", 4));
    QCOMPARE(layer(m, 0).attention.recurrent->form, RecurrentForm::mamba2);
    QCOMPARE(layer(m, 0).norms, 1);
    // Inner 128, keys 32: in 64 x (2 x 128 + 2 x 32 + 4), conv (128 + 64) x 5, 3 x 4 scalars, norm 128, out 128 x 64.
    QCOMPARE(attention(m, 0), 64 * 324 + 960 + 12 + 128 + 8192);
    QCOMPARE(layer(m, 1).feed_forward, FeedForwardShape{});
    QCOMPARE(layer(m, 2).attention.kind, AttentionKind::none);
    QVERIFY(!layer(m, 2).feed_forward.gated);
    const ParameterCount experts = count_parameters(m.model, layer(m, 3));
    QCOMPARE(experts.routed_experts, 4 * 2 * 32 * 24);
    QCOMPARE(experts.shared_experts, 2 * 64 * 48);
    QCOMPARE(experts.router, 64 * 4 + 2 * 64 * 32);  // the way into and out of the latent size beside it
    QCOMPARE(kv_bytes_per_token(m.model, Dtype::bf16).si(), 64.0);
}

void TestHfConfigFamilies::jamba() {
    const ImportedModel m = load(config(
        "\"num_key_value_heads\": 2, \"attn_layer_period\": 4, \"attn_layer_offset\": 2, \"expert_layer_period\": 2, "
        "\"expert_layer_offset\": 1, \"num_experts\": 4, \"num_experts_per_tok\": 2, \"mamba_d_state\": 16, "
        "\"mamba_d_conv\": 4, \"mamba_expand\": 2, \"mamba_dt_rank\": 4, \"mamba_conv_bias\": true, "
        "\"mamba_proj_bias\": false",
        "JambaForCausalLM", 4));
    QCOMPARE(layer(m, 2).attention.kind, AttentionKind::grouped);
    // 128 channels: in 2 x 64 x 128, steer 128 x 36, step 4 x 128 + 128, A 128 x 16, D 128, norms 36, conv 128 x 5,
    // out 128 x 64.
    QCOMPARE(attention(m, 0), 16384 + 4608 + 640 + 2048 + 128 + 36 + 640 + 8192);
    QVERIFY(layer(m, 1).feed_forward.experts && !layer(m, 0).feed_forward.experts);
    QCOMPARE(state_bytes(layer(m, 0).attention).si(), 128.0 * 16 * 4 + 128 * 3 * 2);
}

void TestHfConfigFamilies::lightning() {
    const ImportedModel m = load(
        config("\"head_dim\": 8, \"num_key_value_heads\": 2, \"attn_type_list\": [0, 1], \"num_local_experts\": 4, "
               "\"num_experts_per_tok\": 2",
               "MiniMaxM1ForCausalLM"));
    QCOMPARE(attention(m, 0), 4 * 64 * 64 + 64 + 64 * 64);
    QCOMPARE(state_bytes(layer(m, 0).attention).si(), 8.0 * 8 * 8 * 4);
    QCOMPARE(kv_bytes_per_token(m.model, Dtype::bf16).si(), 64.0);
}

void TestHfConfigFamilies::channelDelta() {
    // Indices of full layers count from 1.
    const ImportedModel m = load(config(
        "\"kv_lora_rank\": 16, \"qk_rope_head_dim\": 4, \"qk_nope_head_dim\": 8, \"v_head_dim\": 8, "
        "\"linear_attn_config\": {\"full_attn_layers\": [2], \"kda_layers\": [1], \"head_dim\": 8, \"num_heads\": 4, "
        "\"short_conv_kernel_size\": 4}",
        "KimiLinearForCausalLM"));
    QCOMPARE(layer(m, 1).attention.kind, AttentionKind::latent);
    // In 64 x (3 x 32 + 4 + 2 x 8), gates 8 x 64, 32 + 4 scalars, norm 8, conv 96 x 4, out 32 x 64.
    QCOMPARE(attention(m, 0), 64 * 116 + 512 + 36 + 8 + 384 + 2048);
    QCOMPARE(kv_bytes_per_token(m.model, Dtype::bf16).si(), 40.0);
}

constexpr const char* latent_fields =
    "\"kv_lora_rank\": 16, \"q_lora_rank\": 24, \"qk_rope_head_dim\": 4, \"qk_nope_head_dim\": 8, \"v_head_dim\": 8";

void TestHfConfigFamilies::sparseIndexer() {
    const std::string indexer = ", \"index_topk\": 32, \"index_n_heads\": 2, \"index_head_dim\": 128";
    const ImportedModel m = load(config(latent_fields + indexer, "DeepseekV32ForCausalLM"));
    const ImportedModel plain = load(config(latent_fields, "DeepseekV3ForCausalLM"));
    // Queries 24 x 256, keys 64 x 128, weights 64 x 2, a layer norm of 128.
    QCOMPARE(attention(m, 0) - attention(plain, 0), 6144 + 8192 + 128 + 256);
    QCOMPARE(kv_bytes_per_token(m.model, Dtype::bf16).si(), kv_bytes_per_token(plain.model, Dtype::bf16).si());
    QCOMPARE(cache_bytes(m.model, 100, Dtype::bf16).index.si(), 2.0 * 132 * 100);
    QVERIFY(m.warnings.empty() && m.ignored.empty());
}

void TestHfConfigFamilies::compressed() {
    const ImportedModel m = load(config(
        "\"num_key_value_heads\": 1, \"head_dim\": 32, \"q_lora_rank\": 24, \"o_lora_rank\": 16, \"o_groups\": 2, "
        "\"sliding_window\": 8, \"compress_ratios\": [0, 4, 128, 0], \"index_topk\": 4, \"index_n_heads\": 2, "
        "\"index_head_dim\": 16, \"hc_mult\": 4, \"num_nextn_predict_layers\": 1",
        "DeepseekV4ForCausalLM", 3));
    QVERIFY(!layer(m, 0).attention.compression && layer(m, 1).attention.indexer && !layer(m, 2).attention.indexer);
    // Queries 64 x 24 + 24 + 24 x 256, one vector 64 x 32, output 256 x 16 + 2 x 16 x 64, 8 sinks.
    const std::int64_t window_only = 1536 + 24 + 6144 + 2048 + 4096 + 2048 + 8;
    QCOMPARE(attention(m, 0), window_only);
    QCOMPARE(attention(m, 2), window_only + 2 * 64 * 32 + 128 * 32 + 32);
    // Twice as wide: 2 x 64 x 64 + 4 x 64 + 32; indexer 24 x 32 + 64 x 2 + 2 x 64 x 32 + 4 x 32 + 16.
    QCOMPARE(attention(m, 1), window_only + 8192 + 256 + 32 + 768 + 128 + 4096 + 128 + 16);
    const CacheBytes cache = cache_bytes(m.model, 1024, Dtype::bf16);
    QCOMPARE(cache.windowed.si(), 3.0 * 8 * 64);
    QCOMPARE(cache.full.si(), (256.0 + 8) * 64);
    QCOMPARE(cache.index.si(), 256.0 * 20);
    QCOMPARE(growing_kv_bytes_per_token(m.model, Dtype::bf16).si(), 64.0 / 4 + 64.0 / 128);
    QCOMPARE(m.model.residual_streams, 4);
}

void TestHfConfigFamilies::gemma4() {
    const ImportedModel m = load(config(
        "\"num_key_value_heads\": 4, \"head_dim\": 16, \"global_head_dim\": 32, \"num_global_key_value_heads\": 2, "
        "\"attention_k_eq_v\": true, \"sliding_window\": 64, \"layer_types\": [\"sliding_attention\", "
        "\"full_attention\"], \"enable_moe_block\": true, \"num_experts\": 4, \"top_k_experts\": 2, "
        "\"moe_intermediate_size\": 24",
        "Gemma4ForConditionalGeneration"));
    QCOMPARE(attention(m, 0), 2 * 64 * 128 + 2 * 64 * 64 + 32);
    QCOMPARE(attention(m, 1), 2 * 64 * 256 + 64 * 64 + 64);
    QCOMPARE(growing_kv_bytes_per_token(m.model, Dtype::bf16).si(), 2.0 * 32 * 2);
    QCOMPARE(cache_bytes(m.model, 1000, Dtype::bf16).windowed.si(), 2.0 * 4 * 16 * 2 * 64);
    QVERIFY(layer(m, 0).feed_forward.width == 160 && layer(m, 0).feed_forward.experts);
    QCOMPARE(layer(m, 0).norms, 7);
}

void TestHfConfigFamilies::mimo() {
    const ImportedModel m = load(
        config("\"num_key_value_heads\": 2, \"head_dim\": 24, \"v_head_dim\": 16, \"hybrid_layer_pattern\": [0, 1], "
               "\"swa_num_key_value_heads\": 4, \"sliding_window\": 128, \"add_swa_attention_sink_bias\": true",
               "MiMoV2FlashForCausalLM"));
    QCOMPARE(kv_bytes_per_token(layer(m, 0), Dtype::bf16).si(), 2.0 * 40 * 2);
    QCOMPARE(kv_bytes_per_token(layer(m, 1), Dtype::bf16).si(), 4.0 * 40 * 2);
    QVERIFY(layer(m, 1).attention.sinks && layer(m, 1).attention.window && !layer(m, 0).attention.window);
    QCOMPARE(attention(m, 0), 64 * (8 * 24 + 2 * 40) + 8 * 16 * 64);
}

void TestHfConfigFamilies::sharedCache() {
    const ImportedModel m =
        load(config("\"num_key_value_heads\": 2, \"use_cla\": true, \"cla_share_factor\": 2", "HunYuanForCausalLM", 4));
    QVERIFY(!layer(m, 0).attention.shares_cache && layer(m, 1).attention.shares_cache);
    QCOMPARE(kv_bytes_per_token(m.model, Dtype::bf16).si(), 2.0 * 64);  // half of the layers
    QCOMPARE(attention(m, 0) - attention(m, 1), 2 * 64 * 16);
}

void TestHfConfigFamilies::factorised() {
    const ImportedModel m =
        load(config("\"num_attention_groups\": 1, \"head_dim\": 32, \"share_q_dim\": 16, "
                    "\"moe_num_experts\": 4, \"moe_top_k\": 2, \"moe_intermediate_size\": 24, "
                    "\"share_expert_dim\": 24, \"moe_layers_enum\": \"1\"",
                    "Step3TextForCausalLM"));
    QCOMPARE(attention(m, 0), 64 * 16 + 16 + 16 * 256 + 2 * 64 * 32 + 256 * 64);
    QCOMPARE(kv_bytes_per_token(m.model, Dtype::bf16).si(), 2.0 * 2 * 32 * 2);
    QVERIFY(!layer(m, 0).feed_forward.experts && layer(m, 1).feed_forward.experts);
}

void TestHfConfigFamilies::blocks() {
    const ImportedModel m =
        load(config("\"num_key_value_heads\": null, \"block_configs\": [{\"attention\": {\"n_heads_in_group\": 4, "
                    "\"no_op\": false}, "
                    "\"ffn\": {\"ffn_mult\": 6.0, \"no_op\": false}}, {\"attention\": {\"no_op\": true}, "
                    "\"ffn\": {\"replace_with_linear\": true}}, {\"attention\": {\"n_heads_in_group\": 8}, \"ffn\": "
                    "{\"no_op\": true}}]",
                    "DeciLMForCausalLM", 3));
    QCOMPARE(layer(m, 0).attention.kv_heads, 2);
    QCOMPARE(layer(m, 0).feed_forward.width, 256);  // 2 x 6 x 64 / 3
    QCOMPARE(layer(m, 1).attention.kind, AttentionKind::none);
    QCOMPARE(count_parameters(m.model, layer(m, 1)).dense_feed_forward, 64 * 64);
    QCOMPARE(layer(m, 2).norms, 1);
    QCOMPARE(kv_bytes_per_token(m.model, Dtype::bf16).si(), 2.0 * 8 * 2 * (2 + 1));
}

void TestHfConfigFamilies::chunks() {
    const ImportedModel m =
        load(config("\"num_key_value_heads\": 2, \"attention_chunk_size\": 32, "
                    "\"intermediate_size_mlp\": 320, \"interleave_moe_layer_step\": 2, "
                    "\"num_local_experts\": 4, \"num_experts_per_tok\": 1, \"use_qk_norm\": true",
                    "Llama4ForCausalLM", 4));
    QVERIFY(layer(m, 0).attention.chunked && layer(m, 0).attention.window == 32);
    QVERIFY(!layer(m, 3).attention.window && !layer(m, 0).attention.qk_norm);
    QCOMPARE(layer(m, 0).feed_forward.width, 320);
    QCOMPARE(layer(m, 1).feed_forward.experts->shared_width, 160);
}

void TestHfConfigFamilies::wideNorm() {
    const ImportedModel m = load(config(
        "\"num_key_value_heads\": 2, \"use_qk_norm\": true, \"qk_norm_type\": \"per_layer\"", "MiniMaxM2ForCausalLM"));
    QCOMPARE(attention(m, 0), 2 * 64 * 64 + 2 * 64 * 16 + 64 + 16);
}

void TestHfConfigFamilies::dbrxInnerFields() {
    // The inner objects repeat a whole base configuration: sampling's top_k and tied tables are not the model's.
    const ImportedModel m = load(
        R"({"architectures": ["DbrxForCausalLM"], "d_model": 64, "n_heads": 8, "n_layers": 2, "vocab_size": 1000,
            "max_seq_len": 512, "tie_word_embeddings": false, "torch_dtype": "bfloat16",
            "attn_config": {"kv_n_heads": 2, "top_k": 50, "tie_word_embeddings": true, "model_type": ""},
            "ffn_config": {"ffn_hidden_size": 96, "moe_num_experts": 4, "moe_top_k": 2, "top_k": 50}})");
    QCOMPARE(layer(m, 0).attention.kv_heads, 2);
    QCOMPARE(layer(m, 0).feed_forward.experts->top_k, 2);
    QCOMPARE(layer(m, 0).feed_forward.experts->width, 96);
    QVERIFY(!m.model.tied_embeddings);
}

void TestHfConfigFamilies::expertLists() {
    const ImportedModel m = load(config(
        "\"num_key_value_heads\": 2, \"moe_num_experts\": [4, 4], \"moe_k\": 2, \"moe_intermediate_size\": [32, 12], "
        "\"moe_num_shared_experts\": 2, \"moe_layer_start_index\": [1, 1], \"moe_layer_end_index\": [29, 28]",
        "Ernie4_5_VLMoeForConditionalGeneration", 3));
    QVERIFY(!layer(m, 0).feed_forward.experts);
    QCOMPARE(layer(m, 2).feed_forward.experts->width, 32);
    QCOMPARE(layer(m, 2).feed_forward.experts->shared_width, 64);
    QVERIFY(mentions(m.warnings, "moe_intermediate_size is a list of 2: the first entry, 32, is used"));
}

void TestHfConfigFamilies::grokLies() {
    const ImportedModel m =
        load(config("\"model_type\": \"mixtral\", \"num_key_value_heads\": 2, \"num_experts\": 4, "
                    "\"num_experts_per_tok\": 2",
                    "Grok1ModelForCausalLM"));
    QVERIFY(mentions(m.warnings, "architectures says Grok1ModelForCausalLM but model_type says mixtral"));
    QCOMPARE(layer(m, 0).norms, 4);
}

void TestHfConfigFamilies::longcat() {
    const ImportedModel m = load(config(
        std::string(latent_fields) + ", \"ffn_hidden_size\": 160, \"expert_ffn_hidden_size\": 32, \"moe_topk\": 6, "
                                     "\"n_routed_experts\": 8, \"zero_expert_num\": 4",
        "LongcatFlashForCausalLM"));
    QCOMPARE(m.model.layers.size(), std::size_t{4});
    QVERIFY(layer(m, 0).feed_forward.experts && !layer(m, 1).feed_forward.experts);
    QCOMPARE(layer(m, 0).feed_forward.experts->top_k, 4);
    QCOMPARE(layer(m, 1).feed_forward.width, 160);
}

void TestHfConfigFamilies::calculon() {
    // Heads x size is not the hidden size, and no vocabulary is stated.
    const ImportedModel m = load(R"({"hidden": 60, "feedforward": 240, "seq_size": 128, "attn_heads": 8, "attn_size": 8,
                                     "num_blocks": 3})");
    QCOMPARE(m.format, std::string("Calculon model"));
    const ParameterCount c = count_parameters(m.model);
    QCOMPARE(c.total, 3 * (4 * 60 * 64 + 2 * 60 * 240));
    QCOMPARE(c.embedding + c.head, 0);
    QVERIFY(mentions(m.assumed, "states no vocabulary"));
}

void TestHfConfigFamilies::otherDialects() {
    const ImportedModel simumax = load(
        R"({"model_name": "tiny", "hidden_size": 64, "head_num": 8, "kv_head_num": 2, "head_size": 8, "layer_num": 3,
            "intermediate_size": 160, "moe_ffn_hidden_size": 32, "expert_num": 4, "topk": 2, "dense_layers": 1,
            "vocab_size": 1000, "use_swiglu": true})");
    QCOMPARE(simumax.format, std::string("SimuMax model"));
    QCOMPARE(simumax.model.name, std::string("tiny"));
    QVERIFY(!layer(simumax, 0).feed_forward.experts && layer(simumax, 1).feed_forward.experts->width == 32);
    const ImportedModel analysis = load(
        R"({"name": "tiny", "num_layers": 2, "n_head": 8, "hidden_dim": 64, "vocab_size": 1000, "max_seq_len": 128,
            "ffn_embed_dim": 160, "mlp_gated_linear_units": false, "num_key_value_heads": 2})");
    QCOMPARE(analysis.format, std::string("llm-analysis model"));
    QCOMPARE(count_parameters(analysis.model).dense_feed_forward, 2 * 2 * 64 * 160);
    const ImportedModel native = load(
        R"({"dim": 64, "inter_dim": 160, "moe_inter_dim": 32, "n_layers": 3, "n_dense_layers": 1, "n_heads": 8,
            "n_routed_experts": 4, "n_shared_experts": 1, "n_activated_experts": 2, "vocab_size": 1000,
            "kv_lora_rank": 16, "qk_nope_head_dim": 8, "qk_rope_head_dim": 4, "v_head_dim": 8, "dtype": "fp8"})");
    QCOMPARE(native.format, std::string("DeepSeek native configuration"));
    QCOMPARE(native.model.stored, Dtype::fp8);
    QCOMPARE(layer(native, 0).feed_forward.width, 160);
    QCOMPARE(kv_bytes_per_token(native.model, Dtype::bf16).si(), 3.0 * 20 * 2);
    const ImportedModel megatron = load(
        R"({"num_layers": 2, "hidden_size": 64, "num_attention_heads": 8, "group_query_attention": false,
            "num_query_groups": 1, "ffn_hidden_size": 160, "swiglu": true, "padded_vocab_size": 1024,
            "untie_embeddings_and_output_weights": true, "kv_channels": 8})");
    QCOMPARE(megatron.format, std::string("Megatron arguments"));
    QCOMPARE(layer(megatron, 0).attention.kv_heads, 8);
    QVERIFY(!megatron.model.tied_embeddings);
}

void TestHfConfigFamilies::quantisation_data() {
    QTest::addColumn<QByteArray>("field");
    QTest::addColumn<int>("stored");
    const auto row = [](const char* field, Dtype d) { QTest::newRow(field) << QByteArray(field) << int(d); };
    row(R"("quantization_config": {"quant_method": "modelopt", "quant_algo": "NVFP4"})", Dtype::fp4);
    row(R"("quantization_config": {"quant_algo": "FP8", "kv_cache_quant_algo": "FP8"})", Dtype::fp8);
    row(R"("quantization_config": {"quant_method": "compressed-tensors", "format": "pack-quantized",
           "config_groups": {"group_0": {"weights": {"num_bits": 4, "type": "int"}}}, "ignore": ["lm_head"]})",
        Dtype::int4);
    row(R"("quantization_config": {"quant_method": "mxfp4"})", Dtype::fp4);
    row(R"("quantization_config": {"quant_method": "fp8"}, "expert_dtype": "fp4")", Dtype::fp4);
    row(R"("quantization": {"group_size": 64, "bits": 8})", Dtype::int8);
    row(R"("quantization_config": {"quant_method": "bitsandbytes", "load_in_8bit": true})", Dtype::int8);
    row(R"("dtype": "bfloat16")", Dtype::bf16);
}

void TestHfConfigFamilies::quantisation() {
    QFETCH(QByteArray, field);
    QFETCH(int, stored);
    const ImportedModel m = load(config("\"num_key_value_heads\": 2, " + field.toStdString()));
    QCOMPARE(int(m.model.stored), stored);
}

void TestHfConfigFamilies::contradictions() {
    const ImportedModel interval =
        load(config(std::string(delta_fields) +
                        ", \"full_attention_interval\": 2, \"layer_types\": [\"full_attention\", \"linear_attention\"]",
                    "Qwen3NextForCausalLM"));
    QVERIFY(mentions(interval.warnings, "full_attention_interval is 2 but layer_types differs at layer 0"));
    const ImportedModel head =
        load(config(std::string(latent_fields) + ", \"qk_head_dim\": 13", "DeepseekV3ForCausalLM"));
    QVERIFY(mentions(head.warnings, "qk_head_dim is 13 but its parts are 8 + 4"));
    const ImportedModel heads = load(
        config("\"multi_query\": true, \"num_kv_heads\": 8, \"new_decoder_architecture\": false", "FalconForCausalLM"));
    QCOMPARE(layer(heads, 0).attention.kv_heads, 1);
    QVERIFY(mentions(heads.warnings, "multi_query is true"));
    const ImportedModel listed =
        load(config("\"num_key_value_heads\": 2, \"layer_types\": [\"full_attention\", "
                    "\"full_attention\", \"full_attention\"]"));
    QVERIFY(mentions(listed.warnings, "3 entries for 2 layers"));
}

QTEST_APPLESS_MAIN(TestHfConfigFamilies)
#include "tst_hf_config_families.moc"
