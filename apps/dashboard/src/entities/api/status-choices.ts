/** States of APIs and endpoints as a filter offers them. */
export const statusFilter = {
  name: 'status',
  label: 'Status',
  all: 'Any status',
  data: [
    { value: 'active', label: 'Active' },
    { value: 'disabled', label: 'Disabled' },
  ],
} as const

/** The state that an address names; undefined for anything else. */
export const readStatus = (address: URLSearchParams) =>
  (['active', 'disabled'] as const).find((known) => known === address.get('status'))
