"""Gaussians, held to torch.distributions."""

import torch
from torch.distributions import Normal, kl_divergence

from modelserving.nets import controlled_gen

MEAN = torch.tensor([[0.0, 0.0], [1.5, -0.5], [-3.0, 0.2]])
LOG_VARIANCE = torch.tensor([[0.0, 0.0], [0.7, -1.2], [-4.0, 2.0]])
NORMAL = Normal(MEAN, (0.5 * LOG_VARIANCE).exp())


def test_the_divergence_from_the_standard_one_is_that_of_torch_and_nothing_of_itself() -> None:
    wanted = kl_divergence(NORMAL, Normal(torch.zeros(3, 2), torch.ones(3, 2))).sum(-1)
    found = controlled_gen.kl_from_standard(MEAN, LOG_VARIANCE)
    torch.testing.assert_close(found, wanted)
    assert found[0] == 0


def test_the_density_is_that_of_torch() -> None:
    value = torch.tensor([[0.3, -0.1], [2.0, 2.0], [-3.0, 0.2]])
    found = controlled_gen.negative_log_density(value, MEAN, LOG_VARIANCE)
    torch.testing.assert_close(found, -NORMAL.log_prob(value).sum(-1))


def test_draws_have_the_mean_and_the_variance_and_a_gradient_goes_through_them() -> None:
    torch.manual_seed(1)
    mean = MEAN[1].repeat(100_000, 1).requires_grad_()
    log_variance = LOG_VARIANCE[1].repeat(100_000, 1).requires_grad_()
    drawn = controlled_gen.draw(mean, log_variance)
    torch.testing.assert_close(drawn.mean(0), MEAN[1], atol=0.02, rtol=0)
    torch.testing.assert_close(drawn.var(0).log(), LOG_VARIANCE[1], atol=0.02, rtol=0)
    by_mean, by_log = torch.autograd.grad(drawn.sum(), [mean, log_variance])
    torch.testing.assert_close(by_mean, torch.ones_like(by_mean))
    torch.testing.assert_close(by_log, 0.5 * (drawn - mean).detach())
