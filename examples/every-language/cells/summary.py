# @name summary
# @system You write for a museum: plain words, nothing that the numbers do not say.
# @max_tokens 300
Describe these penguins in two sentences, the heaviest first.

{{ facts }}
