import type { UseFormReturnType } from '@mantine/form'
import { NamedValues, type NamedValue } from '../../ui/text/named-values.tsx'
import { partOf } from '../../lib/forms/form-part.ts'

interface StaticHeadersFieldsProps<Values extends { static_headers: NamedValue[] }> {
  form: UseFormReturnType<Values>
  description: string
}

/** Headers that are sent with every call of an API or of an endpoint; none of them is secret. */
export function StaticHeadersFields<Values extends { static_headers: NamedValue[] }>(
  props: StaticHeadersFieldsProps<Values>,
) {
  const { form, description } = props
  const part = partOf(form, 'static_headers')
  return (
    <NamedValues
      label="Static headers"
      path={part.pathOf('')}
      description={`${description} {uuid} in a value is a new UUID for each call.`}
      noun="static header"
      max={20}
      namePlaceholder="Accept-Version"
      valuePlaceholder="V2"
      rows={part.values}
      errorOf={part.errorOf}
      onField={part.set}
      onAdd={(row) => part.append('', row)}
      onRemove={(at) => part.remove('', at)}
    />
  )
}
