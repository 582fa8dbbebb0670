import { SimpleGrid } from '@mantine/core'
import { Disclosure } from '../../ui/page/disclosure.tsx'
import { TokenField } from '../../entities/api/token-field.tsx'
import { BundleCard } from './bundle-card.tsx'
import type { BundleFields } from './bundle-frame.tsx'
import classes from './tax.module.css'
import { creditBodySample } from './tax-messages.ts'
import { useStepSamples } from './use-step-samples.ts'
import { HealTick } from './heal-tick.tsx'
import { TestInvoice } from './test-invoice.tsx'

/** The form of a credit bundle: Test invoice, three endpoints, and beneath them their tokens. */
export function CreditFields(props: BundleFields) {
  const { form, editStep } = props.kept
  const { errors, clearError } = props.sending
  const taking = useStepSamples(form.steps)
  return (
    <>
      <TestInvoice {...props} />
      <HealTick {...props} />
      <div className={classes['cards']} data-three>
        {form.steps.map((step, at) => (
          <BundleCard
            key={`endpoint_${at + 1}`}
            position={at + 1}
            step={step}
            taking={taking[at]}
            placeholder={creditBodySample}
            editStep={editStep}
            errors={errors}
            clearError={clearError}
          />
        ))}
      </div>
      <Disclosure title="Tokens">
        <Tokens {...props} />
      </Disclosure>
    </>
  )
}

function Tokens({ tokens, setToken, sending: { errors, clearError } }: BundleFields) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <TokenField
        label="Token of endpoint 1"
        value={tokens.get}
        onChange={(get) => {
          setToken({ get })
          clearError('endpoint_1.token')
        }}
        error={errors['endpoint_1.token']}
      />
      <TokenField
        label="Token of endpoints 2 and 3"
        value={tokens.post}
        onChange={(post) => {
          setToken({ post })
          clearError('endpoint_2.token')
          clearError('endpoint_3.token')
        }}
        error={errors['endpoint_2.token'] ?? errors['endpoint_3.token']}
      />
    </SimpleGrid>
  )
}
