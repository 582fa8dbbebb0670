import type {
  BatchLine,
  BatchRecord,
  WorkflowListRow,
  WorkflowPreview,
  WorkflowRecord,
  WorkflowRun,
} from '@gatehouse/contract'
import { choices } from './build-request-screen.ts'

export const buildWorkflowRow = (changes: Partial<WorkflowListRow> = {}): WorkflowListRow => ({
  id: 7,
  name: 'Sales invoices',
  slug: 'sales',
  kind: 'tax',
  status: 'active',
  description: '',
  version: 3,
  lane: 'jofotara',
  steps_count: 2,
  updated_at: '2026-11-22T09:00:00.000Z',
  ...changes,
})

export const buildWorkflow = (changes: Partial<WorkflowRecord> = {}): WorkflowRecord => ({
  id: 7,
  name: 'Sales invoices',
  slug: 'sales',
  kind: 'tax',
  status: 'active',
  description: '',
  version: 3,
  input_schema: null,
  sample_input: { number: 'INV-1' },
  reference_path: 'number',
  order_key_path: '',
  lane: {
    name: 'jofotara',
    concurrency: 4,
    per_second: 2,
    per_minute: null,
    per_hour: null,
    max_age_minutes: null,
    is_strict_order: false,
  },
  steps: [
    {
      endpoint_id: choices[0]?.id ?? 0,
      body: { kind: 'template', text: '{"id": "{{input.number}}"}' },
      condition: null,
    },
  ],
  callback: null,
  created_at: '2026-11-01T09:00:00.000Z',
  updated_at: '2026-11-22T09:00:00.000Z',
  updated_by: 'Ada Admin',
  endpoints: choices.slice(0, 1),
  lane_shared_with: [],
  ...changes,
})

type PreviewStep = WorkflowPreview['steps'][number]

export const buildPreviewStep = (changes: Partial<PreviewStep> = {}): PreviewStep => ({
  position: 1,
  endpoint_id: choices[0]?.id ?? 0,
  endpoint_name: 'Submit',
  method: 'POST',
  effect: 'submit',
  what: 'send',
  condition: 'none',
  url: 'https://authority.example.com/invoices',
  headers: {},
  body: '{"id":"INV-1"}',
  takes: [],
  runs_at: 'nowhere',
  problems: {},
  ...changes,
})

export const buildWorkflowPreview = (changes: Partial<WorkflowPreview> = {}): WorkflowPreview => ({
  reference: 'INV-1',
  order_key: null,
  steps: [buildPreviewStep()],
  input_problems: {},
  lane_shared_with: [],
  ...changes,
})

export const buildWorkflowRun = (changes: Partial<WorkflowRun> = {}): WorkflowRun => ({
  id: 41,
  state: 'queued',
  kind: 'tax',
  is_test: false,
  is_dry_run: false,
  workflow: { slug: 'sales', version: 3 },
  reference: 'INV-1',
  key: null,
  batch: null,
  created_at: '2026-11-22T09:00:00.000Z',
  finished_at: null,
  outcome: null,
  message: null,
  queue: null,
  authority_reference: null,
  qr: null,
  steps: [],
  ...changes,
})

export const buildBatch = (changes: Partial<BatchRecord> = {}): BatchRecord => ({
  id: 5,
  workflow: { slug: 'sales', version: 3 },
  user_name: 'Ada Admin',
  file_name: 'june.csv',
  total: 1000,
  is_test: false,
  state: 'running',
  counts: { succeeded: 400, rejected: 3, queued: 597 },
  rate_per_minute: 100,
  seconds_left: 358,
  created_at: '2026-11-22T09:00:00.000Z',
  ...changes,
})

export const buildBatchLine = (changes: Partial<BatchLine> = {}): BatchLine => ({
  line: 17,
  run_id: 41,
  reference: 'INV-17',
  state: 'rejected',
  outcome: 'rejected',
  status: 422,
  message: 'The VAT number is missing.',
  finished_at: '2026-11-22T09:01:00.000Z',
  ...changes,
})
