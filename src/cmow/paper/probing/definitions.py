"""What the labels mean, in a line each, for the note beside the sets."""

COMMON = {
    "Length": "number of words in six bins: 5-8, 9-12, 13-16, 17-20, 21-25, 26-28",
    "WC": "which one of the target words, all of middle rank, occurs in the sentence",
    "BShift": "I: two neighbouring words are exchanged, neither the first nor a mark; O: none are",
    "Tense": "PAST or PRES, by the finite verb of the only main clause; forms in one split only",
    "SubjNum": "NN or NNS, by the noun of the main clause's subject; forms in one split only",
    "ObjNum": "NN or NNS, by the noun of the main clause's object; forms in one split only",
    "SOMO": "C: a noun or verb stands in for another with the same tag and bigrams about as "
    "frequent, the new words in one split only; O: none does",
    "CoordInv": "I: the two coordinate clauses are exchanged; O: they are not; balanced by which "
    "clause is longer",
}
BY_CONSTITUENTS = {
    **COMMON,
    "Depth": "branches from the root to the farthest word; chosen to depend little on length",
    "TopConst": "labels of the root's children, the most frequent sequences and OTHER",
}
BY_DEPENDENCIES = {
    **COMMON,
    "Depth": "arcs from the root to the farthest word; chosen to depend little on length",
    "TopConst": "phrases before the main verb, the verb phrase and the mark, the most frequent "
    "sequences and OTHER",
}
