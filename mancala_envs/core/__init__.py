"""The state core: records, rules, kernels and the engine that runs them."""
