import { runProfiles } from '@gatehouse/contract/run-profiles'

export const effects = [
  {
    value: '',
    label: 'By its method: GET and HEAD read, PUT and DELETE idempotent, POST and PATCH submit',
  },
  { value: 'read', label: 'Read: changes nothing' },
  { value: 'idempotent', label: 'Idempotent: twice is like once' },
  { value: 'submit', label: 'Submit: twice is once too often' },
]

const noProfile = { value: '', label: 'None: as HTTP means it' }
export const profileChoices = [
  noProfile,
  ...runProfiles.map(({ name, title }) => ({ value: name, label: title })),
]
