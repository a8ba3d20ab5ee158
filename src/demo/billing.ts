// Billing details of the demo's parties, and the first note of its agreed correction; the second is still to be issued. All of it
// is invented, and right by the rules of the documents: check digits, references, tax.
import { noteCorrection } from '../agreements/correction-note.ts'
import { ownSlug, type PartyTexts } from '../core/billing/party-fields.ts'
import { parseDay } from '../core/time/day.ts'
import { formatNote } from '../formats/notes/note-file.ts'
import { keepBillingDetails } from '../storage/agreements/billing-details.ts'
import { buyer, owner, supplier } from './people.ts'
import type { DemoWorkspace } from './publish.ts'

const kept: readonly { readonly slug: string; readonly by: string; readonly details: PartyTexts }[] = [
  {
    slug: ownSlug,
    by: owner.email,
    details: {
      street: 'Werkstraße 12',
      zip: '70469',
      city: 'Stuttgart',
      country: 'DE',
      vat: 'DE999000113',
      endpoint: '0088:4012345000016',
      reference: 'EK-4471',
      order: '4500017730',
      'contact.name': 'Ann Becker',
      'contact.email': buyer.email,
      language: 'de',
    },
  },
  {
    slug: 'ohio-forge',
    by: supplier.email,
    details: {
      street: '410 Mill Road',
      zip: '44503',
      city: 'Youngstown',
      region: 'OH',
      country: 'US',
      // The company delivers from a store in Germany, and is registered for tax there.
      vat: 'DE999000228',
      endpoint: '0088:0860000012348',
      'contact.name': 'Sam Ortiz',
      'contact.phone': '+1 330 555 0142',
      'contact.email': supplier.email,
      'payment.iban': 'DE89 3704 0044 0532 0130 00',
      'payment.days': '30',
      'tax.category': 'S',
      'tax.rate': '19',
      language: 'en',
    },
  },
]

/** Adds the details; a second time it changes nothing. */
export async function addBillingDetails({ sql, workspaceId }: DemoWorkspace): Promise<void> {
  for (const { slug, by, details } of kept)
    await keepBillingDetails(sql, workspaceId, slug, () => details, { who: by, fromAddress: null })
}

export async function issueFirstNote({ sql, seal, workspaceId }: DemoWorkspace, correction: string): Promise<void> {
  await noteCorrection(sql, seal, {
    workspaceId,
    id: correction,
    number: 'OF-CN-26-0031',
    date: parseDay('2026-02-16')!,
    namesParties: true,
    write: note => formatNote(note, 'ubl', null),
    by: { who: supplier.email, fromAddress: null },
  })
}
