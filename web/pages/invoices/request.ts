// Sends a file of invoice lines and waits for the result of the check.
import type { InvoiceCheck } from '../../../src/views/shapes/invoices.ts'
import { ApiFailure, endSession, failureOf } from '../../api.ts'
import type { Address } from '../../calls.ts'

const lost = 'The connection was lost before the check was done. Nothing was stored; the file is still chosen.'

export async function checkFile(
  address: Address<'/w/:workspace/invoices/check'>,
  file: File,
  signal: AbortSignal,
): Promise<InvoiceCheck> {
  const response = await fetch(`/console${address}`, {
    method: 'POST',
    credentials: 'same-origin',
    headers: { 'content-type': 'application/octet-stream' },
    body: file,
    signal,
  }).catch(error => {
    if (signal.aborted) throw error
    throw new ApiFailure(0, lost)
  })
  if (response.status === 401) endSession()
  if (!response.ok) throw await failureOf(response)
  return response.json()
}
