/** A signature as its request states it; nothing of it is believed yet. */
export interface ReadSignature {
  /** Of `covered`, in the order in which they are signed. */
  readonly components: readonly string[]
  /** The inner list with its parameters, as it came: `@signature-params` of the signature base. */
  readonly params: string
  readonly createdSeconds: number
  readonly keyId: number
  readonly mac: Buffer
}

/** The fields of a request that have to do with its signature. Each may have come more than once. */
export interface SignatureFields {
  readonly inputs: readonly string[]
  readonly signatures: readonly string[]
  readonly digests: readonly string[]
}

/** A list of strings, and parameters, in the one canonical spelling (RFC 9651 §4.1): no second reader could read it otherwise. */
const inputShape =
  /^([a-z*][a-z0-9_.*-]{0,63})=(\(((?:"[a-z@-]{1,40}"(?: (?!\)))?){0,8})\)((?:;[a-z]{1,20}=(?:\d{1,15}|"[ !#-[\]-~]{0,200}")){0,8}))$/
const signatureShape = /^([a-z*][a-z0-9_.*-]{0,63})=:([\w+/]{43}=):$/

/** Takes Signature and Signature-Input out of the fields that are passed on: the proof goes no further. */
export function takeSignature(passed: readonly string[]): {
  fields: SignatureFields
  others: string[]
} {
  const found = {
    'signature-input': [] as string[],
    signature: [] as string[],
    'content-digest': [] as string[],
  }
  const others: string[] = []
  for (let at = 0; at < passed.length; at += 2) {
    const name = passed[at] ?? ''
    const value = passed[at + 1] ?? ''
    const lower = name.length > 15 ? '' : name.toLowerCase()
    if (Object.hasOwn(found, lower)) found[lower as keyof typeof found].push(value)
    if (lower !== 'signature-input' && lower !== 'signature') others.push(name, value)
  }
  const { 'signature-input': inputs, signature: signatures, 'content-digest': digests } = found
  return { fields: { inputs, signatures, digests }, others }
}

/** The one signature of a request, or what is wrong with it, for its client. */
export function readSignature({ inputs, signatures }: SignatureFields): ReadSignature | string {
  const [input = '', otherInput] = inputs
  const [signature = '', otherSignature] = signatures
  if (otherInput !== undefined || otherSignature !== undefined)
    return 'Signature and Signature-Input may come once each.'
  if (input === '' || signature === '') return 'Signature-Input or Signature is missing.'
  const [, label, params = '', list = '', tail = ''] = inputShape.exec(input) ?? []
  if (label === undefined)
    return 'Signature-Input can’t be read: it holds one signature, without needless blanks.'
  const [, signedLabel, mac = ''] = signatureShape.exec(signature) ?? []
  if (signedLabel === undefined)
    return 'Signature can’t be read: it holds one HMAC-SHA256 in base64 between colons.'
  if (label !== signedLabel) return 'Signature and Signature-Input name different signatures.'
  const bytes = Buffer.from(mac, 'base64')
  if (bytes.toString('base64') !== mac) return 'Signature is no canonical base64.'
  const components = list === '' ? [] : list.split(' ').map((each) => each.slice(1, -1))
  const read = readParameters(tail)
  return typeof read === 'string' ? read : { components, params, mac: bytes, ...read }
}

function readParameters(tail: string): { createdSeconds: number; keyId: number } | string {
  const given = new Map<string, string>()
  for (const [, name = '', value = ''] of tail.matchAll(/;([a-z]+)=(\d+|"[^"]*")/g)) {
    if (given.has(name)) return `Signature-Input has the parameter ${name} twice.`
    given.set(name, value)
  }
  for (const name of given.keys())
    if (!/^(?:created|keyid|alg|nonce)$/.test(name))
      return `Signature-Input has the parameter ${name}, which is not accepted.`
  const created = given.get('created') ?? ''
  if (!/^\d+$/.test(created)) return 'Signature-Input needs created, in seconds since 1970.'
  if (given.get('alg') !== '"hmac-sha256"') return 'Signature-Input needs alg="hmac-sha256".'
  const nonce = given.get('nonce')
  if (nonce !== undefined && !/^".+"$/.test(nonce))
    return 'The nonce of Signature-Input is no text.'
  const keyId = /^"([1-9]\d{0,14})"$/.exec(given.get('keyid') ?? '')?.[1]
  if (keyId === undefined) return 'Signature-Input needs keyid, the id of a personal token.'
  return { createdSeconds: Number(created), keyId: Number(keyId) }
}
