/*
 * guess.h - how much of a file is looked at to say what kind of file it is.
 */
#ifndef CID_CAR_GUESS_H
#define CID_CAR_GUESS_H

#include <cid/car.h>

#define CID__GUESS_SIZE 512

#endif
