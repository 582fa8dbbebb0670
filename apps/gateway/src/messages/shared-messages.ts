/** API, the client as the limit counts it, times. */
export type RateTake = [apiId: number, client: string, times: number]

/**
 * What a worker's rate limits have let through since its last such message; passed on to the other
 * workers, which count it too.
 */
interface RateTakesMessage {
  type: 'rate-takes'
  takes: RateTake[]
}

/**
 * HMAC in base64, when it was made (seconds since 1970), whose it is as limits count it, the context of the API that
 * was called, and how long signatures count there.
 */
export type SeenSignature = [
  mac: string,
  createdSeconds: number,
  client: string,
  context: string,
  windowSeconds: number,
]

/** The signatures that counted at a worker since its last such message; they count at no other one. */
interface SignaturesMessage {
  type: 'signatures'
  seen: SeenSignature[]
}

/** What a worker tells the others of its server. */
export type SharedMessage = RateTakesMessage | SignaturesMessage
