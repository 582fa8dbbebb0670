import { useQuery } from '@tanstack/react-query'
import { filterProps } from '../../ui/filters/filter-selects.tsx'
import { LateSelect } from '../../ui/filters/late-select.tsx'
import { registerQueries } from './register-queries.ts'

interface RegisterFilterProps {
  /** Blank: any. */
  value: string
  onChange: (register: string | null) => void
}

const nameMax = 80

/** What the address of a list says of it. */
export const readRegister = (address: URLSearchParams): string =>
  (address.get('register') ?? '').trim().slice(0, nameMax)

/** Narrows a list down to one document register. Not there while there is only one. */
export function RegisterFilter({ value, onChange }: RegisterFilterProps) {
  const { data = [] } = useQuery(registerQueries.list())
  if (data.length < 2 && value === '') return null
  const names = [...new Set([...data.map(({ name }) => name), ...(value ? [value] : [])])]
  return (
    <LateSelect
      {...filterProps('Register', 'Any register', 180)}
      data={names}
      value={value || null}
      onChange={onChange}
    />
  )
}
