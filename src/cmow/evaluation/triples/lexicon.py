"""The words of the benchmark; where there are several for one meaning, they stand side by side."""

from typing import Literal

Split = Literal["train", "test"]
Row = tuple[str, ...]


def half(entries: list[Row], split: Split) -> list[Row]:
    """The entries of a split: no word of one is in the other."""
    return entries[split == "test" :: 2]


def rows(text: str) -> list[Row]:
    """A row a line, its words apart by commas."""
    return [tuple(word.strip() for word in line.split(",")) for line in text.strip().splitlines()]


def words(text: str) -> list[Row]:
    """A row a word."""
    return [(word,) for word in text.split()]


# A person, and the same in another word.
PEOPLE = rows("""
doctor, physician
lawyer, attorney
teacher, instructor
thief, robber
soldier, trooper
child, kid
sailor, seaman
boss, manager
writer, author
policeman, officer
farmer, grower
cook, chef
pupil, student
guard, watchman
king, monarch
singer, vocalist
scientist, researcher
reporter, journalist
merchant, trader
pilot, aviator
priest, clergyman
servant, attendant
tenant, lodger
landlord, proprietor
judge, magistrate
coach, trainer
actor, performer
beggar, vagrant
driver, chauffeur
hunter, huntsman
boxer, fighter
clerk, bookkeeper
nurse, carer
butcher, slaughterman
tailor, dressmaker
hairdresser, barber
sculptor, carver
janitor, caretaker
wizard, sorcerer
lumberjack, woodcutter
""")

# What one does to another: past, and the same in another word; both are participles too.
DEEDS = rows("""
helped, assisted
chased, pursued
praised, lauded
called, phoned
hired, employed
hurt, injured
hugged, embraced
tricked, fooled
scared, frightened
rescued, saved
watched, observed
insulted, offended
greeted, saluted
defeated, conquered
accused, blamed
followed, trailed
robbed, plundered
taught, instructed
obeyed, heeded
betrayed, deceived
hated, despised
admired, adored
annoyed, irritated
punished, penalized
invited, welcomed
ignored, neglected
thanked, acknowledged
killed, murdered
pushed, shoved
mocked, ridiculed
""")

CITIES = words("""
Berlin Amsterdam London Paris Madrid Rome Vienna Prague Warsaw Budapest Athens Lisbon Dublin
Oslo Stockholm Helsinki Copenhagen Brussels Zurich Geneva Milan Naples Venice Florence Barcelona
Seville Hamburg Munich Cologne Frankfurt Moscow Kiev Istanbul Cairo Tunis Nairobi Lagos Tokyo
Osaka Seoul Beijing Shanghai Bangkok Singapore Delhi Mumbai Sydney Melbourne Auckland Toronto
Montreal Vancouver Boston Chicago Denver Seattle Houston Dallas Miami Atlanta
""")

NAMES = words("""
Albert Alice Anna Arthur Carol Clara Daniel David Diana Edward Emma Felix Frank George Grace
Helen Henry Hugo Irene James Judith Julia Laura Leo Linda Mark Martha Martin Mary Monica Nancy
Nina Olivia Oscar Paul Peter Philip Rachel Robert Ruth Samuel Sarah Simon Sonia Susan Teresa
Thomas Tom Victor Walter
""")

# What one did, without anybody else.
ACTS = words("""
left arrived laughed cried slept woke sang danced ate drank smiled spoke shouted prayed fainted
sneezed coughed yawned resigned married retired graduated voted paid jumped swam fell knelt
waved whistled apologized complained surrendered escaped returned vanished trembled blushed
confessed protested
""")

# What one is at: two of them make a contrast.
DOINGS = words("""
singing dancing reading writing cooking cleaning running swimming sleeping working laughing
crying walking driving painting drawing talking listening eating drinking sewing knitting
climbing skating fishing hunting praying smoking studying teaching
""")

# Things that can be measured by the adjectives below.
THINGS = words("""
house tree tower bridge car truck boat table chair wall fence box door lamp ladder barn church
castle statue pillar tent wagon cabinet bench bed cupboard chimney fountain crane bus tractor
shed pole mast
""")

# More, less, and the noun of what is compared.
MEASURES = rows("""
taller, shorter, height
thicker, thinner, thickness
heavier, lighter, weight
older, younger, age
bigger, smaller, size
wider, narrower, width
faster, slower, speed
deeper, shallower, depth
hotter, colder, temperature
dearer, cheaper, price
louder, quieter, volume
brighter, dimmer, brightness
""")

TROUBLES = words("""
storm flood fire crash strike war famine drought fear panic debt poverty illness accident
mistake argument delay shortage explosion scandal protest riot earthquake landslide blackout
leak infection fever injury stress heat frost noise pollution unemployment inflation corruption
greed rumour jealousy
""")

QUALITIES = words("""
hot salty cheap fresh sweet sour strong weak heavy light warm cold thick bitter spicy tasty soft dry
rich plain healthy filling greasy fragrant
""")

DISHES = words("""
soup bread cake rice fish cheese coffee tea salad pasta wine stew sauce jam butter porridge
pudding milk curry honey
""")

ANIMALS = words("""
dogs cats horses cows sheep goats pigs ducks geese hens rabbits mice foxes wolves bears deer
monkeys parrots pigeons crows owls eagles frogs snakes turtles donkeys camels lions tigers
hamsters
""")

# What somebody may be able to do.
SKILLS = words("""
swim fly jump climb dive run hunt dig ski kick sing whistle count dance hide crawl ride sail
cook drive paint skate juggle knit type box wrestle yodel sew bake
""")

# What a thing or a person may be, and the same in another word.
TRAITS = rows("""
red, crimson
blue, azure
old, ancient
new, modern
big, large
small, little
broken, damaged
shiny, gleaming
pretty, beautiful
strange, odd
cheap, inexpensive
empty, vacant
huge, enormous
dirty, filthy
famous, renowned
tiny, miniature
""")

# Somebody whom one has: two of them can have one another.
RELATIONS = words("""
sister teacher brother doctor cousin lawyer neighbour dentist friend boss nephew landlord niece
tailor grandmother coach grandfather trainer daughter nurse son gardener stepfather barber
godmother plumber godfather tutor roommate banker
""")

# Something that is done: the past of a verb and its object.
CHORES = rows("""
washed the car
painted the fence
cooked the dinner
fed the dog
mailed the letter
fixed the roof
mowed the lawn
packed the suitcase
cleaned the kitchen
called the bank
paid the bill
watered the plants
read the report
signed the contract
baked the cake
locked the door
opened the window
bought the tickets
sold the house
emptied the fridge
ironed the shirts
swept the floor
planted the tree
answered the phone
repaired the bike
visited the museum
counted the money
carried the boxes
lighted the candles
peeled the potatoes
""")

# What is done to animals.
CARED = words("""
fed washed counted brushed vaccinated sold weighed petted caught trained moved shown examined
photographed bought tagged
""")

NUMBERS = rows("""
two, 2
three, 3
four, 4
five, 5
six, 6
seven, 7
eight, 8
nine, 9
ten, 10
twelve, 12
twenty, 20
thirty, 30
forty, 40
fifty, 50
sixty, 60
ninety, 90
""")

# What may stand before a clause, and before what is no clause; the same in both splits, as are the
# words of the templates.
BEFORE_CLAUSES = ("", "we heard that ", "it is true that ", "they say that ", "he knew that ")
BEFORE_PHRASES = ("", "I saw ", "they sold ", "we found ", "she drew ")
NOTHING = ("",)
