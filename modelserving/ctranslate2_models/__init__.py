"""BART, PEGASUS and T5 models in CTranslate2's form, which CPUs compute in 8-bit integers. CTranslate2 is optional."""
