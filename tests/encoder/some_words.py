WORDS = ["the", "a", "dog", "cat", "bit", "saw", "man", "not", "very", "good", "bad", "and"]
