import type { DecidedLater, RunProfileName, RunSettings } from './run-settings-record.ts'
import written from './run-profiles.json' with { type: 'json' }

/**
 * How well a rule is founded: `documented` by the authority or a standard, `reported` by those who
 * call it, `inferred` from either.
 */
export type SourceStanding = 'documented' | 'reported' | 'inferred'

export interface ProfileSource {
  /** Labels of the settings it speaks of. */
  about: string
  standing: SourceStanding
  says: string
  title?: string
  url?: string
}

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

type WrittenProfile = Omit<RunProfile, 'settings'> & { settings: Partial<RunSettings> }

/**
 * run-profiles.json has what a profile changes of the default, and where its rules come from, as far as public
 * documents tell; no authority was called. A refusal that may be about an earlier submission is a duplicate,
 * whatever its code, and never a rejection. Where lists say what became of each document, an answer without them is
 * unknown. run-settings.test.ts checks each profile.
 */
export const runProfiles: readonly RunProfile[] = (written as WrittenProfile[]).map((profile) => ({
  ...profile,
  settings: { ...defaultRunSettings, profile: profile.name, ...profile.settings },
}))
