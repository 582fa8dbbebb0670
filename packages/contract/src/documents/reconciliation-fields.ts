import { z } from 'zod'
import { registerMax } from '../apis/api-fields.ts'
import { documentStates } from './document-states.ts'
import { optionalInteger, requiredText, strictFields, text, version } from '../kernel/fields.ts'
import { listSource } from '../workflows/list-source.ts'

/**
 * `missing_here`: the ERP has it, our ledger has not. `missing_in_erp`: it was accepted or may have been, and
 * the ERP has it not. `missing_at_authority`: we say accepted, the authority has it not.
 * `only_at_authority`: the authority has it, our ledger has not. `state`: a list has it, and it was not
 * accepted as far as we know. `amount`: amounts differ.
 */
export const differenceKinds = [
  'missing_here',
  'missing_in_erp',
  'missing_at_authority',
  'only_at_authority',
  'state',
  'amount',
] as const
export type DifferenceKind = (typeof differenceKinds)[number]

const reconciliationStates = ['queued', 'running', 'done', 'failed', 'refused'] as const
export type ReconciliationState = (typeof reconciliationStates)[number]

/** Of all documents, those of one kind; blank: both. */
const reconciledKinds = ['', 'tax', 'credit'] as const

/** A list with the reference and, where it is compared, the amount of each element. */
export const reconciledList = listSource.extend({
  reference_path: requiredText(256, 'reference path'),
  amount_path: text(256, 'amount path'),
})
export type ReconciledList = z.output<typeof reconciledList>

export const reconciliationInput = strictFields({
  name: requiredText(100, 'name'),
  kind: z.enum(reconciledKinds).default(''),
  /** Of the documents, those whose latest run is of this workflow; null: all. */
  workflow_id: optionalInteger('workflow', 1, 999_999_999),
  /** Of the documents, those of this register; blank: all, whose references may not be in two. */
  register: text(registerMax, 'document register'),
  erp: reconciledList,
  authority: reconciledList.nullable().default(null),
  /** Where the input of a run has the amount; blank: amounts of the ledger are not compared. */
  amount_path: text(256, 'amount path'),
  /** Blank: it is started by hand alone. Else it compares the day before, in its time zone. */
  cron: text(100, 'cron expression'),
  time_zone: requiredText(100, 'time zone'),
  version,
})
export type ReconciliationInput = z.output<typeof reconciliationInput>

export const reconciliationResult = z.object({
  id: z.number().int(),
  /** The first and the last day, both inclusive. */
  from_day: z.string(),
  to_day: z.string(),
  state: z.enum(reconciliationStates),
  is_by_hand: z.boolean(),
  created_at: z.string(),
  ended_at: z.string().nullable(),
  message: z.string().nullable(),
  counts: z.object({
    erp: z.number().int(),
    ledger: z.number().int(),
    /** Null where there is no list of an authority. */
    authority: z.number().int().nullable(),
    /** References without any difference. */
    agreeing: z.number().int(),
    differing: z.number().int(),
  }),
  /** How many lines of each kind. */
  differences: z.partialRecord(z.enum(differenceKinds), z.number().int()),
})
export type ReconciliationResult = z.output<typeof reconciliationResult>

const shownList = z.object({
  endpoint_id: z.number().int(),
  request: z.string(),
  items_path: z.string(),
  reference_path: z.string(),
  amount_path: z.string(),
})

export const reconciliationRecord = z.object({
  id: z.number().int(),
  version: z.number().int(),
  name: z.string(),
  kind: z.enum(reconciledKinds),
  workflow_id: z.number().int().nullable(),
  register: z.string(),
  erp: shownList,
  authority: shownList.nullable(),
  amount_path: z.string(),
  cron: z.string(),
  time_zone: z.string(),
  user: z.object({ id: z.number().int(), name: z.string() }),
  next_run_at: z.string().nullable(),
  last_result: reconciliationResult.nullable(),
})
export type ReconciliationRecord = z.output<typeof reconciliationRecord>

export const reconciliationLine = z.object({
  id: z.number().int(),
  kind: z.enum(differenceKinds),
  reference: z.string(),
  /** As they were written; null where there is none. */
  erp_amount: z.string().nullable(),
  ledger_amount: z.string().nullable(),
  authority_amount: z.string().nullable(),
  state: z.enum(documentStates).nullable(),
  document_id: z.number().int().nullable(),
  /** Of that document. */
  register: z.string().nullable(),
  run_id: z.number().int().nullable(),
})
export type ReconciliationLine = z.output<typeof reconciliationLine>
