"""Initial weights. Biases begin at zero.

xavier     Xavier's uniform distribution for every matrix, embeddings too, as OpenNMT-py does for transformers
normal     a normal distribution of deviation 0.02, as in BERT and MASS
small      a normal distribution of deviation 1e-4, cut at two deviations, for embeddings and the projection to words;
           recurrent weights even between ±0.02, and an LSTM's gates that keep with a bias of 1; every other matrix as
           in xavier: the pointer-generator's code (See et al. 2017), and TensorFlow's defaults where it says nothing
variance   normal distributions: of deviation 0.1 for words and places, and √(1/inputs) for matrices, so that what comes
           out varies as much as what goes in (Gehring et al. 2017, Sec. 3.5)
"""

from __future__ import annotations

from typing import Literal

from torch import Tensor, nn

from nutgraf.model.layers import Embedding
from nutgraf.model.multi_head import MultiHead

Initialization = Literal["xavier", "normal", "small", "variance"]


def initialize(network: nn.Module, way: Initialization) -> None:
    """Initialize linear maps, convolutions, embeddings and recurrent layers; other parameters keep their values.

    A network on the meta device has no values and is left as it is.
    """
    if all(weight.is_meta for weight in network.parameters()):
        return
    for path, module in network.named_modules():
        if isinstance(module, (nn.Linear, nn.Embedding, nn.Conv1d)):
            of_words = isinstance(module, nn.Embedding) or path == "head.vocab_proj"
            _begin(module.weight, "xavier" if way == "small" and not of_words else way)
        if isinstance(module, (nn.Linear, nn.Conv1d)) and module.bias is not None:
            nn.init.zeros_(module.bias)
        if isinstance(module, (nn.LSTM, nn.LSTMCell, nn.GRU, nn.GRUCell)):
            for name, one in module.named_parameters():
                if name.startswith("bias"):
                    nn.init.zeros_(one)
                    if way == "small" and name.startswith("bias_ih") and isinstance(module, (nn.LSTM, nn.LSTMCell)):
                        nn.init.ones_(one[module.hidden_size : 2 * module.hidden_size])
                elif way == "small":
                    nn.init.uniform_(one, -0.02, 0.02)
                else:
                    _begin(one, way)
    if way == "variance":
        for module in network.modules():
            if isinstance(module, Embedding):
                nn.init.normal_(module.word_embeddings.weight, std=0.1)
                if isinstance(module.position_embeddings, nn.Parameter):
                    nn.init.normal_(module.position_embeddings, std=0.1)
    if way == "xavier":
        for module in network.modules():
            if isinstance(module, MultiHead):
                for matrix in module.qkv_proj.weight.data.chunk(3):  # queries, keys, values, each a matrix of its own
                    nn.init.xavier_uniform_(matrix)


def _begin(weight: Tensor, way: Initialization) -> None:
    if way == "xavier":
        nn.init.xavier_uniform_(weight)
    elif way == "normal":
        nn.init.normal_(weight, std=0.02)
    elif way == "variance":
        nn.init.normal_(weight, std=weight[0].numel() ** -0.5)
    else:
        nn.init.trunc_normal_(weight, std=1e-4, a=-2e-4, b=2e-4)
