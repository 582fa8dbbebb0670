import { createHash } from 'node:crypto'
import type { Row } from '../../db/tables.ts'

export const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

/** What a link depends on: with another address or password of the user it has ended. */
export const signInHash = ({
  email_key,
  password_hash,
}: Pick<Row<'user'>, 'email_key' | 'password_hash'>) =>
  hashOf(`${email_key}\n${password_hash ?? ''}`)
