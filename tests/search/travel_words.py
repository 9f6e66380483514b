WORDS = ["the", "a", "dog", "cat", "bit", "saw", "man", "not", "from", "to", "berlin", "rome"]
