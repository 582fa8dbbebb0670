import { Checkbox, Stack, TextInput } from '@mantine/core'
import { TokenField } from '../../entities/api/token-field.tsx'
import { BundleCard } from './bundle-card.tsx'
import { tokenOf } from './bundle-form.ts'
import type { BundleFields } from './bundle-frame.tsx'
import classes from './tax.module.css'
import { useStepSamples } from './use-step-samples.ts'
import { TestInvoice } from './test-invoice.tsx'

/** The form of a tax bundle: Test invoice, and four endpoints (spec: screens). */
export function TaxFields(props: BundleFields) {
  const { kept, sending, tokens, setToken } = props
  const { form, editStep } = kept
  const { errors, clearError } = sending
  const samplesOf = useStepSamples(form.steps)
  return (
    <>
      <TestInvoice {...props} />
      <div className={classes['cards']}>
        {form.steps.map((step, at) => {
          const position = at + 1
          const name = `endpoint_${position}`
          return (
            <BundleCard
              key={name}
              position={position}
              step={step}
              taking={samplesOf(at)}
              onChange={(changes) => {
                editStep(position, changes)
                clearError(`${name}.${'body' in changes ? 'body' : 'end_point'}`)
              }}
              errors={{ endpoint: errors[`${name}.end_point`], body: errors[`${name}.body`] }}
              token={
                <TokenField
                  description={tokenHint(position)}
                  value={tokenOf(tokens, position)}
                  onChange={(token) => {
                    setToken(position === 1 ? { get: token } : { post: token })
                    clearError(`${name}.token`)
                  }}
                  error={errors[`${name}.token`]}
                />
              }
            >
              {position === 2 && <Dependency {...props} />}
            </BundleCard>
          )
        })}
      </div>
    </>
  )
}

function tokenHint(position: number): string {
  const fallback = 'Blank: the one stored with the API, if there is one.'
  return position === 1
    ? `The get token, for this endpoint alone. ${fallback}`
    : `The post token, which endpoints 2 to 4 share. ${fallback}`
}

const dependencyError = 'endpoint_2.dependency_field'

function Dependency({ kept: { form, edit }, sending: { errors, clearError } }: BundleFields) {
  return (
    <Stack gap="xs">
      <Checkbox
        label="Dependent on the previous API"
        checked={form.isDependent}
        onChange={(event) => {
          edit({ isDependent: event.currentTarget.checked })
          clearError(dependencyError)
        }}
      />
      {form.isDependent && (
        <TextInput
          label="Dependency field"
          description="Fields of step 1’s answer, by comma: path, or path:as for another name. They are merged over the body."
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          value={form.dependencyField}
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
