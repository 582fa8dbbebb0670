import type { TaxQrField } from '@gatehouse/contract/tax-qr'
import classes from './tax-qr-table.module.css'

/** The decoded fields of a tax QR. Text of any direction stays within its cell. */
export function TaxQrTable({ fields }: { fields: TaxQrField[] }) {
  return (
    <table className={classes['table']} aria-label="Fields of the tax QR">
      <thead>
        <tr>
          <th scope="col">#</th>
          <th scope="col">Field</th>
          <th scope="col">Value</th>
          <th scope="col">Bytes</th>
        </tr>
      </thead>
      <tbody>
        {fields.map(({ tag, name, length, value, isText }, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- tags may repeat, and rows never move
          <tr key={at}>
            <td>{tag}</td>
            <th scope="row">{name}</th>
            <td data-digits={!isText}>
              <bdi>{value}</bdi>
            </td>
            <td>{length}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
