# SPDX-License-Identifier: Apache-2.0
#
# The sketch files (.msh) of Mash, as Mash 2.3 writes them. Only the ordinals,
# the types and the defaults matter to a reader; the words are our own.
#
# Generated code: internal/schema (see internal/schema/generate.go).

@0xc4c8b1ada05e7704;

using Go = import "/go.capnp";
$Go.package("schema");
$Go.import("github.com/gsketch/gsketch/formats/msh/internal/schema");

struct MinHash {
  kmerSize @0 :UInt32;
  windowSize @1 :UInt32;          # of a mode that Mash has dropped; 0
  minHashesPerWindow @2 :UInt32;  # sketch size s
  concatenated @3 :Bool;          # a sketch is of a whole file, not of a record

  referenceListOld @4 :ReferenceList;  # the sketches, if the seed is 42
  locusList @5 :LocusList;             # of the dropped mode; empty

  error @6 :Float32;              # of the dropped mode; 0
  noncanonical @7 :Bool;          # k-mers are hashed as read
  alphabet @8 :Text;              # letters sorted by byte; absent means ACGT
  preserveCase @9 :Bool;          # lower case was not folded to upper case
  hashSeed @10 :UInt32 = 42;

  referenceList @11 :ReferenceList;    # the sketches, if the seed is not 42,
                                       # so that an old reader finds none
}

struct ReferenceList {
  references @0 :List(Reference);
}

struct Reference {
  sequence @0 :Text;              # never set
  quality @1 :Text;               # never set
  length @2 :UInt32;              # old files; length64 replaces it
  name @3 :Text;
  comment @4 :Text;
  hashes32 @5 :List(UInt32);      # ascending; one of these two lists,
  hashes64 @6 :List(UInt64);      # or none if there is no hash
  length64 @7 :UInt64;
  counts32 @8 :List(UInt32);      # copies of each hash, of reads only
  counts32Sorted @9 :Bool;        # counts32 is parallel to the hashes
}

struct LocusList {
  loci @0 :List(Locus);

  struct Locus {
    sequence @0 :UInt32;
    position @1 :UInt32;
    hash32 @2 :UInt32;
    hash64 @3 :UInt64;
  }
}
