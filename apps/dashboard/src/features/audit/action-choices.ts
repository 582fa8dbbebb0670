import { auditActions } from '@gatehouse/contract/audit-names'
import { wordsOfAction } from './audit-words.ts'

/** Actions to narrow the trail down by. */
export const actionChoices = auditActions.map((value) => ({ value, label: wordsOfAction(value) }))
