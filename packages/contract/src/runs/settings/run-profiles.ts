import { authorityRules } from './authority-run-profiles.ts'
import { rule, when, zatcaMessages } from './profile-rule.ts'
import { jofotaraSources, zatcaSources } from './run-profile-sources.ts'
import type { ProfileSource } from './run-profile-sources.ts'
import type { DecidedLater, RunProfileName, RunSettings } from './run-settings-record.ts'

export type { ProfileSource, SourceStanding } from './run-profile-sources.ts'

/**
 * The `./run-profiles` entry: ready-made run settings of endpoints. A profile only fills the form;
 * the user who saves it is responsible for it, so each names the source of its rules.
 */
export interface RunProfile {
  name: Exclude<RunProfileName, ''>
  title: string
  summary: string
  settings: RunSettings
  /** Filled in beside the settings by a form: it needs an endpoint to ask. */
  later?: DecidedLater
  sources: readonly ProfileSource[]
}

/** Seconds in which "not received" settles nothing, where a status query does not say. */
export const defaultQuietSeconds = 120

/** How long an unknown outcome is healed, where the settings do not say. */
export const defaultHealingHours = 24

/** How a decision is asked for, where the settings of a pending answer do not say. */
export const defaultPendingTimes = {
  first_after_seconds: 5,
  factor: 2,
  max_every_seconds: 300,
  give_up_minutes: 4320,
}

/** What an endpoint has that says nothing of runs: its method and its statuses decide. */
export const defaultRunSettings: RunSettings = {
  profile: '',
  effect: '',
  success_rule: null,
  rejection_rule: null,
  duplicate_rule: null,
  is_duplicate_safe: false,
  duplicate_safe_minutes: null,
  healing: '',
  healing_hours: null,
  status_query: null,
  pending: null,
  documents: null,
  idempotency_header: '',
  content_type: '',
  reference_path: '',
  original_reference_path: '',
  message_path: '',
  authority_reference_path: '',
  qr_path: '',
  wait_path: '',
}

export const runProfiles: readonly RunProfile[] = [
  {
    name: 'generic',
    title: 'Generic HTTP API',
    summary: 'HTTP as its standards mean it: any 2xx is a success, 208 is a duplicate.',
    settings: {
      ...defaultRunSettings,
      profile: 'generic',
      success_rule: rule('200-207,209-299'),
      duplicate_rule: rule('208'),
      idempotency_header: 'Idempotency-Key',
    },
    sources: [
      {
        about: 'Success rule',
        standing: 'documented',
        says: '2xx: the request was received, understood and accepted.',
        title: 'RFC 9110 §15.3',
        url: 'https://www.rfc-editor.org/rfc/rfc9110#section-15.3',
      },
      {
        about: 'Duplicate rule',
        standing: 'inferred',
        says: '208 Already Reported is defined for WebDAV; APIs use it for a document they already have.',
        title: 'RFC 5842 §7.1',
        url: 'https://www.rfc-editor.org/rfc/rfc5842#section-7.1',
      },
      {
        about: 'Idempotency header',
        standing: 'documented',
        says: 'A server that knows the header answers a repetition without a second effect; others ignore it.',
        title: 'draft-ietf-httpapi-idempotency-key-header',
        url: 'https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/',
      },
      {
        about: 'Duplicate-safe',
        standing: 'inferred',
        says: 'Off: turn it on only where the API promises it.',
      },
    ],
  },
  {
    name: 'zatca-clearance',
    title: 'Saudi Arabia: ZATCA clearance (standard invoices)',
    summary: '/invoices/clearance/single: cleared while you wait.',
    settings: {
      ...defaultRunSettings,
      profile: 'zatca-clearance',
      effect: 'submit',
      success_rule: rule(
        '200,202',
        'all',
        when('clearanceStatus', 'equals', 'CLEARED'),
        when('validationResults.status', 'not_equals', 'ERROR'),
      ),
      rejection_rule: rule(
        '200-299,303',
        'any',
        when('clearanceStatus', 'equals', 'NOT_CLEARED'),
        when('message', 'contains', 'clearance'),
        when('validationResults.status', 'equals', 'ERROR'),
      ),
      duplicate_rule: rule('208', 'all', when('clearanceStatus', 'equals', 'CLEARED')),
      is_duplicate_safe: true,
      duplicate_safe_minutes: 23 * 60,
      message_path: zatcaMessages,
      reference_path: 'uuid',
    },
    sources: zatcaSources.clearance,
  },
  {
    name: 'zatca-reporting',
    title: 'Saudi Arabia: ZATCA reporting (simplified invoices)',
    summary: '/invoices/reporting/single: reported within 24 hours.',
    settings: {
      ...defaultRunSettings,
      profile: 'zatca-reporting',
      effect: 'submit',
      success_rule: rule(
        '200,202',
        'all',
        when('reportingStatus', 'equals', 'REPORTED'),
        when('validationResults.status', 'not_equals', 'ERROR'),
      ),
      rejection_rule: rule(
        '200-299,303',
        'any',
        when('reportingStatus', 'equals', 'NOT_REPORTED'),
        when('message', 'contains', 'clearance'),
        when('validationResults.status', 'equals', 'ERROR'),
      ),
      duplicate_rule: rule('208,409'),
      is_duplicate_safe: true,
      duplicate_safe_minutes: 23 * 60,
      message_path: zatcaMessages,
      reference_path: 'uuid',
    },
    sources: zatcaSources.reporting,
  },
  {
    name: 'jofotara',
    title: 'Jordan: JoFotara',
    summary: '/core/invoices/: the answer’s EINV_STATUS decides, not its HTTP status.',
    settings: {
      ...defaultRunSettings,
      profile: 'jofotara',
      effect: 'submit',
      success_rule: rule(
        '200',
        'all',
        when('EINV_STATUS', 'equals', 'SUBMITTED'),
        when('EINV_RESULTS.status', 'not_equals', 'ERROR'),
      ),
      rejection_rule: rule(
        '200-299',
        'any',
        when('EINV_STATUS', 'equals', 'NOT_SUBMITTED'),
        when('EINV_RESULTS.status', 'equals', 'ERROR'),
      ),
      duplicate_rule: rule(
        '200-299,400,409',
        'all',
        when('EINV_STATUS', 'equals', 'ALREADY_SUBMITTED'),
      ),
      message_path: 'EINV_RESULTS.ERRORS[*].EINV_MESSAGE, EINV_RESULTS.WARNINGS[*].EINV_MESSAGE',
      authority_reference_path: 'EINV_NUM',
      qr_path: 'EINV_QR',
    },
    sources: jofotaraSources,
  },
  ...authorityRules.map(({ name, title, summary, settings, later, sources }): RunProfile => ({
    name,
    title,
    summary,
    settings: { ...defaultRunSettings, profile: name, ...settings },
    ...(later ? { later } : {}),
    sources,
  })),
]
