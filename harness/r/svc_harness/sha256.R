# SHA-256 of a short string in lower-case hex, for file names. Base R has none before 4.5. Words are doubles below 2^32,
# processed in halves, because R's 32-bit integers cannot represent 2^31.

sha_primes <- function(count) {
  primes <- integer()
  candidate <- 2L
  while (length(primes) < count) {
    if (all(candidate %% primes != 0L)) primes <- c(primes, candidate)
    candidate <- candidate + 1L
  }
  primes
}

# The first 32 bits of the fractional part.
sha_fraction <- function(x) floor((x - floor(x)) * 2^32)

SHA_START <- sha_fraction(sqrt(sha_primes(8L)))
SHA_ROUND <- local({
  primes <- sha_primes(64L)
  root <- primes^(1 / 3)
  # One step of Newton's method: the power alone is not exact to the last bit of the fraction.
  sha_fraction(root - (root^3 - primes) / (3 * root^2))
})

sha_halves <- function(f) function(a, b) {
  f(a %/% 65536, b %/% 65536) * 65536 + f(a %% 65536, b %% 65536)
}
sha_and <- sha_halves(bitwAnd)
sha_xor <- sha_halves(bitwXor)
sha_rotate <- function(x, by) floor(x / 2^by) + (x %% 2^by) * 2^(32 - by)
sha_mix <- function(x, a, b, last) sha_xor(sha_xor(sha_rotate(x, a), sha_rotate(x, b)), last)

sha256_of <- function(text) {
  bytes <- as.integer(charToRaw(enc2utf8(text)))
  bits <- length(bytes) * 8
  bytes <- c(bytes, 128L, integer(-(length(bytes) + 9L) %% 64L), rep(0L, 4L), bits %/% 2^(c(24, 16, 8, 0)) %% 256)
  words <- colSums(matrix(bytes, nrow = 4L) * c(2^24, 2^16, 2^8, 1))
  state <- SHA_START
  for (block in split(words, ceiling(seq_along(words) / 16))) state <- (state + sha_block(state, block)) %% 2^32
  paste(sprintf("%04x%04x", state %/% 65536, state %% 65536), collapse = "")
}

sha_block <- function(state, w) {
  for (i in 17:64) {
    a <- sha_mix(w[i - 15L], 7, 18, floor(w[i - 15L] / 2^3))
    b <- sha_mix(w[i - 2L], 17, 19, floor(w[i - 2L] / 2^10))
    w[i] <- (w[i - 16L] + a + w[i - 7L] + b) %% 2^32
  }
  s <- state
  for (i in 1:64) {
    choice <- sha_xor(sha_and(s[5], s[6]), sha_and(2^32 - 1 - s[5], s[7]))
    one <- s[8] + sha_mix(s[5], 6, 11, sha_rotate(s[5], 25)) + choice + SHA_ROUND[i] + w[i]
    most <- sha_xor(sha_xor(sha_and(s[1], s[2]), sha_and(s[1], s[3])), sha_and(s[2], s[3]))
    two <- sha_mix(s[1], 2, 13, sha_rotate(s[1], 22)) + most
    s <- c((one + two) %% 2^32, s[1:3], (s[4] + one) %% 2^32, s[5:7])
  }
  s
}
