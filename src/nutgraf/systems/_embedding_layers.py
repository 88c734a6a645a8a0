"""Layers whose embeddings agree best with people's judgements of translations, as the package bert_score lists them.

Zhang et al. 2020, *BERTScore: Evaluating Text Generation with BERT*. The package knows models by their names, which a
folder need not tell, so they are known here by their architecture, number of layers and width. Where models of one size
differ (versions of ALBERT, generators and discriminators of ELECTRA), the layer is that of the later version or of the
discriminator. Models of T5's kind are not in the list, because the package normalizes their layers anew.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

BEST: Mapping[tuple[str, int, int], int] = {
    ("albert", 12, 768): 9,
    ("albert", 24, 1024): 14,
    ("albert", 24, 2048): 13,
    ("albert", 12, 4096): 8,
    ("bart", 6, 768): 6,
    ("bart", 12, 1024): 10,
    ("bert", 12, 768): 9,
    ("bert", 24, 1024): 18,
    ("deberta", 12, 768): 9,
    ("deberta", 24, 1024): 16,
    ("deberta", 48, 1024): 18,
    ("deberta-v2", 6, 768): 4,
    ("deberta-v2", 12, 384): 10,
    ("deberta-v2", 12, 768): 9,
    ("deberta-v2", 24, 1024): 12,
    ("deberta-v2", 24, 1536): 10,
    ("deberta-v2", 48, 1536): 21,
    ("distilbert", 6, 768): 5,
    ("electra", 12, 256): 11,
    ("electra", 12, 768): 9,
    ("electra", 24, 1024): 14,
    ("led", 6, 768): 6,
    ("longformer", 12, 768): 7,
    ("longformer", 24, 1024): 14,
    ("mpnet", 12, 768): 8,
    ("roberta", 6, 768): 5,
    ("roberta", 12, 768): 10,
    ("roberta", 24, 1024): 17,
    ("xlm-roberta", 12, 768): 9,
    ("xlm-roberta", 24, 1024): 17,
}
"""Layers by architecture, number of layers and width."""

CHINESE_BERT = 21128
"""Size of the vocabulary of bert-base-chinese, whose layer is the eighth."""


def layer_for(architecture: str, layers: int, width: int, vocab_size: int) -> int:
    """Return the layer of a model: that of the list, or else the one at three quarters, rounded up.

    Of the models of 12 layers in the package's list, most have the ninth, of those of 24 the seventeenth or eighteenth.
    """
    if (architecture, layers, vocab_size) == ("bert", 12, CHINESE_BERT):
        return 8
    return BEST.get((architecture, layers, width), math.ceil(3 * layers / 4))
