"""Our options as transformers' TrainingArguments: nothing is saved, logged, drawn or asked of the network by it."""

from typing import TYPE_CHECKING

from modelserving.pretrained.options import TunedOptions
from modelserving.training.callbacks import Callbacks

if TYPE_CHECKING:
    from transformers import Seq2SeqTrainingArguments

SCHEDULES = {"constant": "constant_with_warmup", "inverse_sqrt": "inverse_sqrt", "linear": "linear", "cosine": "cosine"}


def training_arguments(
    options: TunedOptions, callbacks: Callbacks, device: str, processes: int = 1
) -> "Seq2SeqTrainingArguments":
    """Of a process that trains on one device, alone or with others."""
    import torch
    from transformers import Seq2SeqTrainingArguments

    on_gpu = device.startswith("cuda")
    if on_gpu:
        torch.cuda.set_device(device)
    arguments = Seq2SeqTrainingArguments(
        output_dir=str(callbacks.folder / "trainer"),
        per_device_train_batch_size=max(1, options.batch // processes),  # batches are ours; Trainer only says it
        gradient_accumulation_steps=options.accumulate,
        num_train_epochs=options.epochs,
        learning_rate=options.rate,
        lr_scheduler_type=SCHEDULES[options.schedule],
        warmup_steps=options.warmup,
        weight_decay=options.decay,
        max_grad_norm=options.clip,
        optim="adamw_torch_fused",
        activation_checkpointing=options.checkpointing,
        seed=callbacks.seed,
        use_cpu=not on_gpu,
        ddp_backend=("nccl" if on_gpu else "gloo") if processes > 1 else None,
        eval_on_start=True,  # where a tune score was still due; else nothing is done
        save_strategy="no",
        logging_strategy="no",
        eval_strategy="no",
        report_to=[],
        disable_tqdm=True,
        logging_nan_inf_filter=False,
        use_cache=True,
    )
    arguments._n_gpu = min(1, arguments._n_gpu)  # one GPU a process, however many there are
    return arguments
