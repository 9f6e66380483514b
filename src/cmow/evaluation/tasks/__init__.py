"""The tasks, a file each, in the order of the paper's tables."""

from functools import partial
from typing import Any

from cmow.evaluation.data import DataFolder
from cmow.evaluation.reordering import exchange_arguments, reverse, swap_neighbors
from cmow.evaluation.sentences import Pairs
from cmow.evaluation.task import Task
from cmow.evaluation.tasks.analogies import Analogies
from cmow.evaluation.tasks.benchmark import read_benchmark, read_test_genres
from cmow.evaluation.tasks.entailment import Entailment
from cmow.evaluation.tasks.order import Order
from cmow.evaluation.tasks.paraphrase import Paraphrase
from cmow.evaluation.tasks.polarity import Polarity
from cmow.evaluation.tasks.probing import Probing
from cmow.evaluation.tasks.questions import Questions
from cmow.evaluation.tasks.relatedness import Relatedness
from cmow.evaluation.tasks.sentiment import Sentiment
from cmow.evaluation.tasks.sick import read_sick
from cmow.evaluation.tasks.similarity import Similarity, read_year
from cmow.evaluation.tasks.triples import Triples, TriplesProbe
from cmow.evaluation.tasks.word_similarity import WordSimilarity

__all__ = ["GROUPS", "TASKS"]

_YEARS = {
    "STS12": ("MSRpar", "MSRvid", "SMTeuroparl", "surprise.OnWN", "surprise.SMTnews"),
    "STS13": ("FNWN", "headlines", "OnWN"),
    "STS14": ("deft-forum", "deft-news", "headlines", "images", "OnWN", "tweet-news"),
    "STS15": ("answers-forums", "answers-students", "belief", "headlines", "images"),
    "STS16": ("answer-answer", "headlines", "plagiarism", "postediting", "question-question"),
}


def _sick_test(data: DataFolder) -> dict[str, Pairs]:
    return {"test": read_sick(data, "relatedness")[2]}


_ALL: tuple[Task[Any], ...] = (
    Probing("Depth", "tree_depth.txt"),
    Probing("BShift", "bigram_shift.txt"),
    Probing("SubjNum", "subj_number.txt"),
    Probing("Tense", "past_present.txt"),
    Probing("CoordInv", "coordination_inversion.txt"),
    Probing("Length", "sentence_length.txt"),
    Probing("ObjNum", "obj_number.txt"),
    Probing("TopConst", "top_constituents.txt"),
    Probing("SOMO", "odd_man_out.txt"),
    Probing("WC", "word_content.txt", effort=80.0),
    Polarity("SUBJ", "downstream/SUBJ/subj.objective", "downstream/SUBJ/subj.subjective"),
    Polarity("CR", "downstream/CR/custrev.pos", "downstream/CR/custrev.neg"),
    Polarity("MR", "downstream/MR/rt-polarity.pos", "downstream/MR/rt-polarity.neg"),
    Polarity("MPQA", "downstream/MPQA/mpqa.pos", "downstream/MPQA/mpqa.neg"),
    Paraphrase(),
    Questions(),
    Entailment(),
    Sentiment("SST2", "downstream/SST/binary", 2),
    Sentiment("SST5", "downstream/SST/fine", 5),
    Relatedness("STS-B", read_benchmark),
    Relatedness("SICK-R", partial(read_sick, column="relatedness")),
    *(Similarity(y, partial(read_year, year=y, subsets=s)) for y, s in _YEARS.items()),
    Similarity("STS-B-cosine", read_test_genres),
    Similarity("SICK-R-cosine", _sick_test),
    WordSimilarity("WS353", "EN-WS-353-ALL.txt"),
    WordSimilarity("WS353-SIM", "EN-WS-353-SIM.txt"),
    WordSimilarity("WS353-REL", "EN-WS-353-REL.txt"),
    WordSimilarity("SimLex-999", "EN-SIMLEX-999.txt"),
    WordSimilarity("SimVerb-3500", "EN-SimVerb-3500.txt"),
    WordSimilarity("MEN", "EN-MEN-TR-3k.txt"),
    WordSimilarity("RW", "EN-RW-STANFORD.txt"),
    WordSimilarity("MTurk-771", "EN-MTurk-771.txt"),
    WordSimilarity("RG-65", "EN-RG-65.txt"),
    Analogies(),
    Order("Swap", swap_neighbors),
    Order("Reverse", reverse),
    Order("Arguments", exchange_arguments, given=True),
    Triples(),
    TriplesProbe(),
)

TASKS = {task.name: task for task in _ALL}
GROUPS = tuple(dict.fromkeys(task.group for task in _ALL))
