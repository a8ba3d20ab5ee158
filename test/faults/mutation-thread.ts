// Reads damaged bodies in a thread of its own, which says what it is reading (watched-mutations.ts).
import { parentPort, workerData } from 'node:worker_threads'
import { runMutations } from '../providers/mutation.ts'
import { mutateInvoices } from './invoice-files.ts'
import type { Watched } from './watched-mutations.ts'

const { name, damaged, progress } = workerData as Watched
const at = new Int32Array(progress)
const options = { ...damaged, onMutation: (current: number) => void Atomics.store(at, 0, current) }
parentPort!.postMessage(name === 'invoice' ? mutateInvoices(options) : runMutations(name, options))
