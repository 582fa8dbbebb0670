import { credentialFields, tlsFields } from '@gatehouse/contract'
import type { Keys } from '../../kernel/located-document.ts'
import type { SecretPlace, Value } from './values.ts'

const isObject = (value: unknown): value is Value =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

type Secrecies = Readonly<Record<string, string>>

/** A credential or TLS settings as they are shown, with blank texts in the places of secrets. */
export function withBlanks(shown: Value, secrecies: Secrecies): { value: Value; stored: Keys[] } {
  const stored: Keys[] = []
  const entries = Object.entries(secrecies).map(([field, secrecy]): [string, unknown] => {
    if (secrecy === 'secret') {
      if (shown[`has_${field}`] === true) stored.push([field])
      return [field, '']
    }
    if (secrecy !== 'secret_values') return [field, shown[field]]
    const list = shown[field] as { name: string; has_value: boolean }[]
    const blanks = list.map(({ name, has_value }, at) => {
      if (has_value) stored.push([field, at, 'value'])
      return { name, value: '' }
    })
    return [field, blanks]
  })
  const kind = shown['kind'] === undefined ? {} : { kind: shown['kind'] }
  return { value: { ...kind, ...Object.fromEntries(entries) }, stored }
}

/** Every place of a value that may hold a secret, given or not. */
function placesIn(value: unknown, secrecies: Secrecies, at: Keys): SecretPlace[] {
  if (!isObject(value)) return []
  return Object.entries(secrecies).flatMap(([field, secrecy]): SecretPlace[] => {
    if (secrecy === 'secret') return [{ keys: [...at, field], isStored: false }]
    const list = value[field]
    if (secrecy !== 'secret_values' || !Array.isArray(list)) return []
    return list.map((_, index) => ({ keys: [...at, field, index, 'value'], isStored: false }))
  })
}

const secreciesOf = (credential: unknown): Secrecies => {
  const kind = isObject(credential) ? String(credential['kind']) : ''
  return Object.hasOwn(credentialFields, kind)
    ? credentialFields[kind as keyof typeof credentialFields]
    : {}
}

/** The places of secrets of an API that a document gives. */
export const secretsOfApi = (value: Value): SecretPlace[] => [
  ...(Object.hasOwn(value, 'password') ? [{ keys: ['password'], isStored: false }] : []),
  ...(['credential', 'test_credential'] as const).flatMap((field) =>
    placesIn(value[field], secreciesOf(value[field]), [field]),
  ),
  ...placesIn(value['tls'], tlsFields, ['tls']),
]

export function valueAt(value: unknown, keys: Keys): unknown {
  let found = value
  for (const key of keys) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined
    found = (found as Record<string | number, unknown>)[key]
  }
  return found
}

/** Sets a part of a value that is the caller's own. Does nothing where the way to it is not there. */
export function setAt(value: unknown, keys: Keys, part: unknown): void {
  const owner = valueAt(value, keys.slice(0, -1))
  const last = keys.at(-1)
  if (typeof owner === 'object' && owner !== null && last !== undefined)
    (owner as Record<string | number, unknown>)[last] = part
}

const reference = /^\$\{((?:env|file):[^{}]{1,200})\}$/

/** The name of a reference, such as `env:ERP_TOKEN`; undefined for any other text. */
export const referenceIn = (text: unknown): string | undefined =>
  typeof text === 'string' ? reference.exec(text)?.[1] : undefined

export const toReference = (variable: string) => `\${env:${variable}}`

/** What stands for the secret that is stored. */
export const kept = 'keep'

/** The name of an environment variable for a secret. */
export function variableOf(section: string, name: string, keys: Keys): string {
  return [section, name, ...keys]
    .join('_')
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .toUpperCase()
    .slice(0, 190)
}
