import { Checkbox, Group, NumberInput, SimpleGrid } from '@mantine/core'
import type { TokenDetail, TokenLimits } from '@gatehouse/contract'
import { AddressFields } from '../../entities/api/address-fields.tsx'
import type { PartToEdit } from '../../lib/forms/form-part.ts'
import type { LimitValues } from './limit-values.ts'
import { ScopeSelect } from './scope-select.tsx'

interface LimitFieldsProps {
  part: Pick<PartToEdit<LimitValues>, 'values' | 'set' | 'errorOf'>
  /** The user of the token. */
  owner: number
  named?: TokenDetail['named']
  isDisabled?: boolean
}

const methods: TokenLimits['methods'] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD']

/** What a token is limited to beside the roles of its user. */
export function LimitFields({ part, owner, named, isDisabled = false }: LimitFieldsProps) {
  const { values, set, errorOf } = part
  return (
    <>
      <ScopeSelect
        what="endpoints"
        label="Endpoints"
        description="The token opens these alone. With neither endpoints nor workflows here, it opens all that its user may call."
        nothingFound="No endpoint of that name, path or API that the user may call"
        owner={owner}
        named={named?.endpoints ?? []}
        value={values.endpoints}
        onChange={(value) => set('endpoints', value)}
        error={errorOf('endpoints')}
        isDisabled={isDisabled}
      />
      <ScopeSelect
        what="workflows"
        label="Workflows"
        description="With endpoints alone above, the token runs no workflow."
        nothingFound="No workflow of that name that the user may run"
        owner={owner}
        named={named?.workflows ?? []}
        value={values.workflows}
        onChange={(value) => set('workflows', value)}
        error={errorOf('workflows')}
        isDisabled={isDisabled}
      />
      <Checkbox.Group
        label="Methods"
        description="None chosen: every method. GET opens HEAD too; a run of a workflow is started by POST."
        value={values.methods}
        onChange={(value) => set('methods', value)}
        error={errorOf('methods') ?? null}
        disabled={isDisabled}
      >
        <Group mt={6}>
          {methods.map((method) => (
            <Checkbox key={method} value={method} label={method} disabled={isDisabled} />
          ))}
        </Group>
      </Checkbox.Group>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <QuotaField part={part} period="per_day" label="Requests per day" isDisabled={isDisabled} />
        <QuotaField
          part={part}
          period="per_month"
          label="Requests per month"
          isDisabled={isDisabled}
        />
      </SimpleGrid>
      <AddressFields
        propsOf={(list) => ({
          value: values.client_addresses[list],
          onChange: (value) => set(`client_addresses.${list}`, value),
          error: errorOf(`client_addresses.${list}`) ?? null,
          disabled: isDisabled,
        })}
      />
    </>
  )
}

interface QuotaFieldProps extends Pick<LimitFieldsProps, 'part' | 'isDisabled'> {
  period: 'per_day' | 'per_month'
  label: string
}

function QuotaField({ part, period, label, isDisabled = false }: QuotaFieldProps) {
  const { values, set, errorOf } = part
  return (
    <NumberInput
      label={label}
      description="Through the gateway, in UTC. Blank: any number."
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      min={1}
      max={999_999_999}
      allowDecimal={false}
      thousandSeparator=","
      value={values.quota[period]}
      onChange={(value) => set(`quota.${period}`, value)}
      error={errorOf(`quota.${period}`) ?? null}
      disabled={isDisabled}
    />
  )
}
