import type { RunProfileName } from '../runs/settings/run-settings-record.ts'

/** How soon an alarm has to be raised, so that a person can still act inside an authority's window. */
export interface AuthorityWindow {
  /** Minutes after which an unknown outcome is an alarm. */
  unknownMinutes: number
  /** Minutes after which a pending decision is an alarm. */
  pendingMinutes: number
  /** The window of the authority, in words. */
  window: string
}

export const pendingMinutesDefault = 240

const none = 'No public document names a window.'
const at = (unknownMinutes: number, pendingMinutes: number, window: string): AuthorityWindow => ({
  unknownMinutes,
  pendingMinutes,
  window,
})

/**
 * The one place of the windows; docs/authorities says where they come from. An endpoint without a profile of
 * these has the times of UNKNOWN_ALARM_MINUTES and `pendingMinutesDefault`.
 */
export const authorityWindows: Partial<Record<RunProfileName, AuthorityWindow>> = {
  myinvois: at(5, 60, 'A repetition of the same payload is recognised for 10 minutes.'),
  eta: at(15, 60, none),
  'zatca-clearance': at(15, 60, 'An invoice has to be cleared before the buyer gets it.'),
  'zatca-reporting': at(60, 240, 'A simplified invoice has to be reported within 24 hours.'),
  irn: at(60, 240, 'An IRN can be asked for during 2 days.'),
  oscu: at(15, 60, none),
  firs: at(30, 120, none),
  jofotara: at(30, 120, none),
  verifactu: at(30, 120, 'A record has to be sent at once.'),
  cfdi: at(30, 120, 'A document has to be stamped within 72 hours.'),
}
