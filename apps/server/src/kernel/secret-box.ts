import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const keyVersion = 1
const nonceBytes = 12
const tagBytes = 16

/** Where a secret is stored. It is part of the authenticated data, so the ciphertext opens nowhere else. */
interface SecretPlace {
  table: string
  row: number
  field: string
}

export interface SecretBox {
  seal(plain: string, place: SecretPlace): string
  /** Throws when the text was sealed with another key, for another place, or was changed. */
  open(sealed: string, place: SecretPlace): string
}

/** Seals with the key, and opens what was sealed with it or with the one before. */
export function createTwoKeyBox(key: Buffer, previous: Buffer | undefined): SecretBox {
  const box = createSecretBox(key)
  if (previous === undefined) return box
  const old = createSecretBox(previous)
  return {
    seal: (plain, place) => box.seal(plain, place),
    open(sealed, place) {
      try {
        return box.open(sealed, place)
      } catch {
        return old.open(sealed, place)
      }
    },
  }
}

/** AES-256-GCM with a random nonce; the text is `v1.` and base64 of nonce, tag and ciphertext. */
export function createSecretBox(key: Buffer): SecretBox {
  const aad = ({ table, row, field }: SecretPlace) =>
    Buffer.from(JSON.stringify([table, row, field, keyVersion]))
  return {
    seal(plain, place) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes }).setAAD(
        aad(place),
      )
      const encrypted = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return `v${keyVersion}.${Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64')}`
    },
    open(sealed, place) {
      const [version, text = ''] = sealed.split('.')
      if (version !== `v${keyVersion}`)
        throw new Error('The secret was sealed by an unknown key version.')
      const bytes = Buffer.from(text, 'base64')
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes), {
        authTagLength: tagBytes,
      })
        .setAAD(aad(place))
        .setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
      return Buffer.concat([
        decipher.update(bytes.subarray(nonceBytes + tagBytes)),
        decipher.final(),
      ]).toString('utf8')
    },
  }
}
