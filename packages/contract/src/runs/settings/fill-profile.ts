import { defaultRunSettings, runProfiles } from './run-profiles.ts'
import type { RunSettings } from './run-settings-record.ts'

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const profileOf = (name: unknown) => runProfiles.find((each) => each.name === name)

/**
 * Fills in what the named profile says wherever settings say nothing: what is there, null and blank too, stays.
 * Where the authority decides later, a status query that names its endpoint is filled in as well, and what
 * is pending with it.
 */
export function withProfileFilled(value: unknown): unknown {
  const profile = isObject(value) ? profileOf(value['profile']) : undefined
  if (!isObject(value) || !profile) return value
  const { settings, later } = profile
  const given = Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined))
  const query = given['status_query']
  if (!later || !isObject(query)) return { ...settings, ...given }
  return {
    ...settings,
    pending: later.pending,
    ...given,
    status_query: { ...later.status_query, ...query },
  }
}

/** Why a profile may not stand in settings: nothing of what it says is in them. */
export function idleProfileProblem(given: Partial<RunSettings>): string | undefined {
  const profile = profileOf(given.profile)
  if (!profile) return undefined
  const isSame = (name: keyof RunSettings, other: Partial<RunSettings>) =>
    JSON.stringify(given[name]) === JSON.stringify(other[name])
  const names = Object.keys(profile.settings) as (keyof RunSettings)[]
  const said = names.filter(
    (name) =>
      name !== 'profile' &&
      JSON.stringify(profile.settings[name]) !== JSON.stringify(defaultRunSettings[name]),
  )
  return said.every((name) => isSame(name, defaultRunSettings))
    ? 'This profile does nothing here: the settings say otherwise everywhere. Leave out what it is to fill in, or leave the profile blank.'
    : undefined
}
