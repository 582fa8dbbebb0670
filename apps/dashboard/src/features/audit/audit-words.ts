import type { AuditEvent, AuditThing } from '@gatehouse/contract'

export const outcomeWords: Record<AuditEvent['outcome'], string> = {
  done: 'done',
  refused: 'refused',
}

const thingWords: Record<AuditThing, string> = {
  api: 'Api',
  endpoint: 'Endpoint',
  user: 'User',
  role: 'Role',
  access: 'Access',
  token: 'Token',
  issuer: 'Issuer of tokens',
  'admin-token': 'Token for programs',
  'sign-on': 'Sign-on',
  session: 'Session',
  log: 'Log',
  run: 'Run',
  workflow: 'Workflow',
  lane: 'Lane',
  delivery: 'Delivery',
  alarm: 'Alarm',
  'alarm-rule': 'Alarm rule',
  'alarm-channel': 'Alarm channel',
  schedule: 'Schedule',
  reconciliation: 'Reconciliation',
  mapping: 'Mapping',
  archive: 'Archive',
  installation: 'Installation',
  call: 'Call',
}

/** What actions begin with that is no thing, or is spelled otherwise. */
const otherWords: Record<string, string> = {
  context: 'Context',
  draft: 'Draft of an API',
  admin_token: thingWords['admin-token'],
  sign_on: thingWords['sign-on'],
  gateway_account: 'Account of a gateway',
}

/** What is done with things; any other is shown as it is named. */
const verbWords: Record<string, string> = {
  accept_drift: 'accept the change',
  acknowledge: 'acknowledge',
  again: 'send again',
  backup: 'back up',
  cancel: 'cancel',
  clear_access: 'take from all roles',
  close: 'close',
  copy: 'copy',
  correct: 'correct',
  create: 'create',
  create_hook: 'create a webhook',
  delete: 'delete',
  delete_hook: 'delete a webhook',
  discard: 'discard',
  'docs-share': 'share the docs',
  'docs-unshare': 'end the link to the docs',
  download: 'download',
  drain: 'drain',
  limit: 'limit',
  login: 'sign in',
  logout: 'sign out',
  mute: 'mute',
  password: 'change the password',
  pause: 'pause',
  publish: 'publish',
  recovery_code_used: 'use a recovery code',
  recovery_codes: 'make recovery codes',
  refused: 'refused',
  remove: 'remove',
  resolve: 'resolve',
  restore: 'restore',
  resume: 'resume',
  revoke: 'revoke',
  revoke_all: 'revoke all',
  revoke_others: 'end all others',
  rotate_key: 'change the key',
  round: 'archive now',
  run: 'run now',
  save: 'save',
  second_factor_off: 'second factor off',
  second_factor_on: 'second factor on',
  second_factor_reset: 'reset the second factor',
  send: 'send again',
  send_dead: 'send dead ones again',
  sign: 'make a signing secret',
  sign_in: 'test the sign-in',
  sign_on_linked: 'link to the sign-on',
  sign_on_unlinked: 'unlink from the sign-on',
  status_query: 'ask for the status',
  test: 'test',
  try: 'try',
  unmute: 'unmute',
  unsign: 'remove the signing secret',
  update: 'update',
  update_hook: 'change a webhook',
  view: 'view',
}

const saved = ['create', 'update', 'delete']

/** What may be done with each. */
const verbsOf: Record<string, readonly string[]> = {
  api: [...saved, 'try', 'sign_in', 'accept_drift'],
  endpoint: [...saved, 'try', 'clear_access'],
  context: ['update'],
  draft: ['save', 'publish', 'discard'],
  user: [
    ...saved,
    'password',
    'second_factor_on',
    'second_factor_off',
    'second_factor_reset',
    'recovery_codes',
    'recovery_code_used',
    'sign_on_linked',
    'sign_on_unlinked',
  ],
  role: [...saved, 'docs-share', 'docs-unshare'],
  access: ['update'],
  token: ['create', 'limit', 'sign', 'unsign', 'revoke'],
  issuer: saved,
  admin_token: ['create', 'revoke', 'revoke_all'],
  sign_on: ['update'],
  session: ['login', 'logout', 'refused', 'revoke', 'revoke_others'],
  log: ['view'],
  run: ['resolve', 'status_query', 'resume', 'correct', 'again', 'close', 'cancel'],
  workflow: [...saved, 'create_hook', 'update_hook', 'delete_hook'],
  lane: ['pause', 'resume', 'drain'],
  delivery: ['send', 'send_dead', 'cancel'],
  alarm: ['acknowledge', 'mute', 'unmute'],
  'alarm-rule': saved,
  'alarm-channel': [...saved, 'test'],
  schedule: [...saved, 'pause', 'resume', 'run'],
  reconciliation: [...saved, 'run'],
  mapping: saved,
  archive: ['update', 'round', 'download'],
  installation: ['backup', 'copy', 'restore', 'rotate_key'],
  gateway_account: ['create', 'remove'],
  call: ['refused'],
}

export const wordsOfThing = (thing: AuditThing): string => thingWords[thing]

/** `lane.pause` reads as `Lane: pause`. */
export function wordsOfAction(action: string): string {
  const [thing = '', verb = ''] = action.split('.')
  const named = thingWords[thing as AuditThing] ?? otherWords[thing] ?? thing
  return `${named}: ${verbWords[verb] ?? verb.replaceAll(/[-_]/g, ' ')}`
}

const known = Object.entries(verbsOf).flatMap(([thing, verbs]) =>
  verbs.map((verb) => `${thing}.${verb}`),
)

/** Actions to narrow the trail down by, and the one it is narrowed down by now: a link may hold a part of one. */
export function actionChoices(chosen: string): { value: string; label: string }[] {
  const choices = known.map((value) => ({ value, label: wordsOfAction(value) }))
  return chosen === '' || known.includes(chosen)
    ? choices
    : [{ value: chosen, label: chosen }, ...choices]
}
