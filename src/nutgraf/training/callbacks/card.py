"""The card of a model: what it was trained on, how, and how well it did."""

from __future__ import annotations

from nutgraf.model_folder import write_card
from nutgraf.runtime.compute import kernels
from nutgraf.training.callbacks import Callback
from nutgraf.training.context import Context
from nutgraf.training.events import TrainingState


class Card(Callback):
    """Writes `card.json` whenever other weights become the folder's, and at the end."""

    context: Context

    def resume(self, state: TrainingState) -> None:
        """Bring the card into line with the checkpoint that was restored."""
        self._sign(state, "")

    def save(self, state: TrainingState) -> None:
        """Write the card if the weights of this step are the folder's. Raises OutputError."""
        if state.best_step == state.step:
            self._sign(state, "")
            write_card(self.context.folder, self.context.card)

    def end(self, state: TrainingState, reason: str) -> None:
        """Write the card. Raises OutputError."""
        self._sign(state, reason)
        if self.context.machine.main:
            write_card(self.context.folder, self.context.card)

    def _sign(self, state: TrainingState, reason: str) -> None:
        """Say how far the training is, and which weights are the folder's."""
        machine, chosen = self.context.machine, self.context.chosen
        self.context.card["training"] = {
            "step": state.step,
            "epochs": round(state.epochs, 3),
            "hours": round(state.seconds / 3600, 3),
            "tokens": state.tokens,
            "device": str(machine.device),
            "precision": state.precision,
            "kernels": kernels(machine.device),
            "threads": machine.threads.threads,
            "processes": machine.processes,
            "second_phase_from": state.second_phase_from,
            "ended": reason,
        }
        if chosen.origin:
            self.context.card.update(chosen.to_json())
