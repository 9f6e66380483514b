"""The real words of the language, by what they talk about; irregular forms follow a colon."""

from typing import NamedTuple


class Domain(NamedTuple):
    """Words that occur together, blank-separated, the most frequent first."""

    beings: str
    meetings: str  # verbs: a being does it to a being
    goods: str
    uses: str  # verbs: a being does it to goods
    tools: str
    crafts: str  # verbs: a being does it to a tool
    places: str
    moves: str  # verbs without an object
    traits: str  # adjectives of beings
    qualities: str  # adjectives of goods and tools


DOMAINS = (
    # house
    Domain(
        beings="dog cat child:children mother puppy kitten baby aunt uncle nephew niece granny",
        meetings="chase hug scratch comfort scold lick wake:woke",
        goods="toy pillow blanket candle carpet curtain cushion towel mirror clock",
        uses="hide:hid fold dust wrap hang:hung",
        tools="chair table lamp broom stove ladder cupboard drawer sofa doorbell",
        crafts="tidy polish shove dismantle unplug",
        places="kitchen garden cellar attic hallway",
        moves="sleep:slept yawn giggle cry stretch",
        traits="sleepy playful naughty furry cosy clumsy",
        qualities="soft tiny dusty striped fluffy shabby",
    ),
    # farm
    Domain(
        beings="farmer cow horse goat hen pig shepherd donkey goose:geese calf:calves lamb pony",
        meetings="feed:fed herd nudge calm trample",
        goods="carrot turnip pumpkin bean cabbage melon radish onion pear plum",
        uses="pick harvest gather sow peel",
        tools="cart rake shovel bucket wagon basket scythe pitchfork tractor trough",
        crafts="mend load drag scrub borrow",
        places="barn field meadow orchard pasture",
        moves="graze doze bleat stroll snort",
        traits="stubborn plump gentle muddy hungry woolly",
        qualities="ripe rusty wooden rotten juicy crooked",
    ),
    # sea
    Domain(
        beings="sailor captain pirate dolphin whale diver mermaid seal gull fisherman:fishermen "
        "crab turtle",
        meetings="rescue hail spot warn splash",
        goods="shell pearl coral oyster sponge treasure jewel barrel coin crate",
        uses="collect sink:sank bury smuggle fetch",
        tools="boat anchor sail net oar rope raft compass rudder mast",
        crafts="steer tow hoist moor capsize",
        places="harbour beach island lagoon cove",
        moves="swim:swam float drown dive surface",
        traits="salty seasick bearded daring barefoot sunburnt",
        qualities="wet sunken slimy watertight sandy briny",
    ),
    # food
    Domain(
        beings="cook baker waiter butcher guest chef customer hostess brewer maid barman:barmen "
        "cashier",
        meetings="serve greet tip seat thank",
        goods="cake pie apple sandwich sausage cookie dumpling pancake omelette biscuit",
        uses="eat:ate taste bake fry devour",
        tools="pan knife:knives fork spoon kettle oven plate bowl jug whisk",
        crafts="wash rinse sharpen fill wipe",
        places="restaurant bakery tavern pantry canteen",
        moves="dine chew burp slurp gossip",
        traits="greedy thirsty polite fussy grumpy cheerful",
        qualities="sweet spicy crisp greasy delicious stale",
    ),
    # school
    Domain(
        beings="teacher pupil student professor tutor scholar poet librarian linguist dean "
        "lecturer graduate",
        meetings="teach:taught praise examine interrupt coach",
        goods="book poem letter novel essay lesson story riddle sentence map",
        uses="recite write:wrote copy translate memorise",
        tools="pencil desk blackboard eraser ruler notebook globe satchel bookcase inkpot",
        crafts="label:labelled carry misplace unpack lend:lent",
        places="classroom library college campus academy",
        moves="learn listen sneeze whisper daydream",
        traits="clever curious lazy diligent studious absent",
        qualities="difficult boring famous scribbled printed instructive",
    ),
    # forest
    Domain(
        beings="hunter wolf:wolves fox bear stag owl rabbit squirrel hedgehog ranger "
        "elf:elves badger",
        meetings="hunt stalk track ambush outrun:outran",
        goods="berry mushroom nut acorn root leaf:leaves flower twig feather log",
        uses="nibble sniff hoard crush drop",
        tools="trap axe spear tent arrow quiver lantern machete hatchet snare",
        crafts="sabotage aim sling:slung carve conceal",
        places="forest cave thicket clearing swamp",
        moves="howl climb prowl hibernate growl",
        traits="wild shy cunning fierce nimble nocturnal",
        qualities="mossy bitter poisonous hollow thorny leafy",
    ),
    # castle
    Domain(
        beings="king queen knight prince princess soldier wizard duke dragon jester baron squire",
        meetings="fight:fought betray crown banish salute",
        goods="gem ring scroll banner potion necklace goblet throne relic sceptre",
        uses="steal:stole inherit worship:worshipped seize guard",
        tools="sword shield lance cannon catapult drawbridge helmet dagger crossbow chariot",
        crafts="wield forge fire brandish besiege",
        places="castle tower dungeon palace fortress",
        moves="kneel:knelt march rebel:rebelled duel:duelled surrender",
        traits="noble brave cruel loyal wicked royal",
        qualities="golden magic ancient priceless gilded cursed",
    ),
    # town
    Domain(
        beings="merchant mayor policeman:policemen thief:thieves lawyer judge clerk banker beggar "
        "driver tailor cobbler",
        meetings="arrest cheat pay:paid bribe accuse",
        goods="parcel shoe ticket newspaper coat umbrella wallet necktie hat glove",
        uses="buy:bought sell:sold order trade advertise",
        tools="bus taxi bicycle lorry trolley tram turnstile meter escalator van",
        crafts="drive:drove park repair rent insure",
        places="market street office museum station",
        moves="commute shop hurry queue loiter",
        traits="rich poor busy honest urban corrupt",
        qualities="cheap expensive modern fashionable leather stolen",
    ),
    # hospital
    Domain(
        beings="doctor nurse patient surgeon dentist midwife:midwives chemist orderly invalid "
        "paramedic optician matron",
        meetings="cure treat vaccinate bandage diagnose",
        goods="pill plaster syrup vitamin ointment vaccine sample tablet crutch splint",
        uses="swallow prescribe mix inject dilute",
        tools="scalpel syringe stretcher wheelchair thermometer microscope bed monitor probe",
        crafts="disinfect adjust sterilise calibrate operate",
        places="hospital clinic ward surgery pharmacy",
        moves="cough recover faint bleed:bled limp",
        traits="sick healthy pale feverish weary pregnant",
        qualities="sterile bottled soluble medical harmful soothing",
    ),
    # music
    Domain(
        beings="singer drummer pianist dancer composer conductor violinist actor clown fiddler "
        "guitarist soprano",
        meetings="applaud accompany imitate invite upstage",
        goods="song melody ballad tune anthem waltz hymn opera lullaby rhyme",
        uses="sing:sang perform hum compose rehearse",
        tools="guitar piano drum violin flute trumpet harp cello microphone organ",
        crafts="restring:restrung play strum amplify muffle",
        places="theatre stage studio ballroom arena",
        moves="dance curtsy rejoice improvise clap",
        traits="talented graceful vain musical gifted nervous",
        qualities="loud cheery melodic catchy quaint solemn",
    ),
    # workshop
    Domain(
        beings="engineer carpenter mechanic inventor plumber smith robot builder welder mason "
        "apprentice foreman:foremen",
        meetings="hire train assist supervise blame",
        goods="nail screw brick plank pipe bolt tile wire hinge spring",
        uses="hammer bend:bent weigh weld measure",
        tools="machine drill pump engine crane furnace lathe wrench generator chisel",
        crafts="build:built oil assemble install test",
        places="factory garage mine foundry warehouse",
        moves="toil sweat work grumble retire",
        traits="skilful strong oily inventive tired reliable",
        qualities="metal steel broken heavy electric faulty",
    ),
    # sky
    Domain(
        beings="pilot astronaut astronomer alien eagle swan falcon scientist navigator bat "
        "moth cosmonaut",
        meetings="observe signal:signalled overtake:overtook circle dazzle",
        goods="star comet planet cloud moon galaxy meteor crater rainbow snowflake",
        uses="photograph admire name discover chart",
        tools="rocket balloon telescope aeroplane satellite kite glider antenna parachute capsule",
        crafts="launch land refuel:refuelled inflate crash",
        places="airport orbit observatory runway summit",
        moves="fly:flew soar hover ascend descend",
        traits="weightless fearless lonely swift winged thoughtful",
        qualities="bright distant silver icy round enormous",
    ),
)
