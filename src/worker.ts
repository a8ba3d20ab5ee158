// Worker thread of the server: the server's routes, over a library of its own and under the full budget of work, one job at a
// time. It asks the database before each job for changes, so it needs no notifications.
import { workerData } from 'node:worker_threads'
import { takeJobs, type WorkerTask } from './worker-jobs.ts'

void takeJobs(workerData as WorkerTask)
