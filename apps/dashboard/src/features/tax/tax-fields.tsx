import { Checkbox, Stack, TextInput } from '@mantine/core'
import { memo, useMemo, type ComponentProps, type ReactNode } from 'react'
import { TokenField } from '../../entities/api/token-field.tsx'
import { BundleCard } from './bundle-card.tsx'
import { tokenOf } from './bundle-form.ts'
import type { BundleFields } from './bundle-frame.tsx'
import classes from './tax.module.css'
import { useStepSamples } from './use-step-samples.ts'
import { HealTick } from './heal-tick.tsx'
import { TestInvoice } from './test-invoice.tsx'

/** The form of a tax bundle: Test invoice, and four endpoints (spec: screens). */
export function TaxFields(props: BundleFields) {
  const { tokens, setToken } = props
  const { form, editStep, edit } = props.kept
  const { errors, clearError } = props.sending
  const taking = useStepSamples(form.steps)
  const { isDependent, dependencyField } = form
  const dependency = useMemo(
    () => <Dependency {...{ isDependent, dependencyField, edit, errors, clearError }} />,
    [isDependent, dependencyField, edit, errors, clearError],
  )
  return (
    <>
      <TestInvoice {...props} />
      <HealTick {...props} />
      <div className={classes['cards']}>
        {form.steps.map((step, at) => (
          <TaxCard
            key={`endpoint_${at + 1}`}
            position={at + 1}
            step={step}
            taking={taking[at]}
            token={tokenOf(tokens, at + 1)}
            dependency={at === 1 && dependency}
            {...{ editStep, errors, clearError, setToken }}
          />
        ))}
      </div>
    </>
  )
}

interface TaxCardProps
  extends
    Pick<ComponentProps<typeof BundleCard>, 'position' | 'step' | 'taking'>,
    Pick<BundleFields, 'setToken'>,
    Pick<BundleFields['sending'], 'errors' | 'clearError'>,
    Pick<BundleFields['kept'], 'editStep'> {
  token: string
  dependency: ReactNode
}

const TaxCard = memo(function TaxCard({ token, setToken, dependency, ...card }: TaxCardProps) {
  const { position, errors, clearError } = card
  const name = `endpoint_${position}.token`
  const error = errors[name]
  // The body changes with each key.
  const field = useMemo(
    () => (
      <TokenField
        description={tokenHint(position)}
        value={token}
        onChange={(token) => {
          setToken(position === 1 ? { get: token } : { post: token })
          clearError(name)
        }}
        error={error}
      />
    ),
    [position, token, setToken, clearError, name, error],
  )
  return (
    <BundleCard {...card} token={field}>
      {dependency}
    </BundleCard>
  )
})

function tokenHint(position: number): string {
  const fallback = 'Blank: the one stored with the API, if there is one.'
  return position === 1
    ? `The get token, for this endpoint alone. ${fallback}`
    : `The post token, which endpoints 2 to 4 share. ${fallback}`
}

const dependencyError = 'endpoint_2.dependency_field'

type DependencyProps = Pick<BundleFields['kept']['form'], 'isDependent' | 'dependencyField'> &
  Pick<BundleFields['kept'], 'edit'> &
  Pick<BundleFields['sending'], 'errors' | 'clearError'>

function Dependency({ isDependent, dependencyField, ...props }: DependencyProps) {
  const { edit, errors, clearError } = props
  return (
    <Stack gap="xs">
      <Checkbox
        label="Dependent on the previous API"
        checked={isDependent}
        onChange={(event) => {
          edit({ isDependent: event.currentTarget.checked })
          clearError(dependencyError)
        }}
      />
      {isDependent && (
        <TextInput
          label="Dependency field"
          description="Fields of step 1’s answer, by comma: path, or path:as for another name. They are merged over the body."
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          value={dependencyField}
          onChange={(event) => {
            edit({ dependencyField: event.currentTarget.value })
            clearError(dependencyError)
          }}
          error={errors[dependencyError]}
          spellCheck={false}
        />
      )}
    </Stack>
  )
}
