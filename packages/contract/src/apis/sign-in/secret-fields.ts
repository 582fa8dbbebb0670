import type { NamedValue } from './outgoing-header.ts'

/** `open` is shown; `secret` is text that is never shown; `secret_values` is a list of names and secret values. */
type Secrecy = 'open' | 'secret' | 'secret_values'

/** Says of every field whether it is secret: a field that is left out does not compile. */
export type SecrecyOf<T> = { readonly [F in Exclude<keyof T, 'kind'>]: Secrecy }

/** The form that may be shown: whether a secret is stored, instead of the secret. */
export type Shown<T, S> = {
  [
    F in keyof T as F extends keyof S ? (S[F] extends 'secret' ? `has_${F & string}` : F) : F
  ]: F extends keyof S
    ? S[F] extends 'secret'
      ? boolean
      : S[F] extends 'secret_values'
        ? { name: string; has_value: boolean }[]
        : T[F]
    : T[F]
}

/** Secrets by their place: `token`, `headers.0`. Blank ones are left out. */
export type SecretTexts = Record<string, string>

type Fields = Record<string, unknown>
type Secrecies = Readonly<Record<string, Secrecy>>

interface SplitFields {
  shown: Fields
  secrets: SecretTexts
}

/** Parts what may be shown from what may not. */
export function splitFields(whole: Fields, secrecies: Secrecies): SplitFields {
  const shown: Fields = {}
  const secrets: SecretTexts = {}
  const keep = (place: string, value: string) => {
    if (value !== '') secrets[place] = value
    return value !== ''
  }
  for (const [field, value] of Object.entries(whole)) {
    const secrecy = secrecies[field] ?? 'open'
    if (secrecy === 'secret') shown[`has_${field}`] = keep(field, value as string)
    else if (secrecy === 'secret_values') {
      shown[field] = (value as NamedValue[]).map((each, at) => ({
        name: each.name,
        has_value: keep(`${field}.${at}`, each.value),
      }))
    } else shown[field] = value
  }
  return { shown, secrets }
}

/** Puts together what `splitFields` parted; a secret that is missing is blank. */
export function joinFields({ shown, secrets }: SplitFields, secrecies: Secrecies): Fields {
  const whole: Fields = {}
  for (const [field, value] of Object.entries(shown)) {
    const secretField = field.startsWith('has_') ? field.slice(4) : ''
    if (secrecies[secretField] === 'secret') whole[secretField] = secrets[secretField] ?? ''
    else if (secrecies[field] === 'secret_values') {
      whole[field] = (value as { name: string }[]).map(({ name }, at) => ({
        name,
        value: secrets[`${field}.${at}`] ?? '',
      }))
    } else whole[field] = value
  }
  return whole
}

/** Fills in the secrets that were left blank: those of lists by the name beside them. */
export function keepSecrets(given: Fields, stored: Fields, secrecies: Secrecies): Fields {
  const filled = { ...given }
  for (const [field, secrecy] of Object.entries(secrecies)) {
    if (secrecy === 'secret' && filled[field] === '') filled[field] = stored[field] ?? ''
    if (secrecy === 'secret_values') {
      const known = new Map(
        (stored[field] as NamedValue[]).map(({ name, value }) => [name.toLowerCase(), value]),
      )
      filled[field] = (filled[field] as NamedValue[]).map(({ name, value }) => ({
        name,
        value: value === '' ? (known.get(name.toLowerCase()) ?? '') : value,
      }))
    }
  }
  return filled
}
