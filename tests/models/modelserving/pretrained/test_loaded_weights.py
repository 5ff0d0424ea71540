"""A loaded model does not change with its folder's files."""

from pathlib import Path

import torch
from support import tiny_transformers

from foundation.base_folder import read_base_folder
from modelserving.pretrained.loading import load_network


def test_a_model_stays_as_it_is_where_somebody_writes_over_its_file(tmp_path: Path) -> None:
    folder = tiny_transformers.make("t5", tmp_path / "t5")
    net = load_network(read_base_folder(folder, ("t5",)))
    before = {name: tensor.clone() for name, tensor in net.state_dict().items()}
    tiny_transformers.make("t5", folder, seed=2)
    assert all(torch.equal(tensor, before[name]) for name, tensor in net.state_dict().items())
