import { choiceWords } from '../../../lib/format/choice-words.ts'
import type { ValueWords } from '../../../ui/form/clash-field.tsx'
import { accesses, protocols, statuses } from './api-form-cards.tsx'
import { credentialKinds } from '../sign-in/credential-fields.tsx'
import { drivers, tlsChoices } from '../procedures/store-procedure-card.tsx'
import { tlsModes } from '../policy/tls-draft.ts'

const kindWords = choiceWords([{ value: '', label: 'None' }, ...credentialKinds])

/** What the choices of the form are called where two changes are compared. */
export const apiWords: ValueWords = {
  api_protocol: choiceWords(protocols),
  gateway_status: choiceWords(statuses),
  api_access: choiceWords(accesses),
  driver: choiceWords(drivers),
  db_tls: choiceWords(tlsChoices),
  'credential.kind': kindWords,
  'test_credential.kind': kindWords,
  'tls.mode': choiceWords(tlsModes),
}
