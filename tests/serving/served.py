"""What is served in these tests."""

WORDS = ("the", "cat", "dog", "chased", "saw", "a", "boat", "häuser", "犬")
TEXTS = ("the dog chased the cat", "the cat chased the dog", "a boat", "the dog saw a boat")
